/**
 * The routes about messages: search, details, actions on some and on many, dead groups, blocked keys, the audit trail
 * and the export.
 */
@NullMarked
package dev.postrider.console.message;

import org.jspecify.annotations.NullMarked;
