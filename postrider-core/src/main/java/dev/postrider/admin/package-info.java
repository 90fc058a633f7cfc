/**
 * What an operator does with messages: look, requeue, discard, replay, edit, restore, purge. The types say what is
 * asked and what was found. How tables answer belongs to the module that has the tables.
 */
@NullMarked
package dev.postrider.admin;

import org.jspecify.annotations.NullMarked;
