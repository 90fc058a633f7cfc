/**
 * The filters that people type to find messages, the same in console, API and command line: read, and written back.
 * What a filter finds belongs to the module that has the tables.
 */
@NullMarked
package dev.postrider.console.filter;

import org.jspecify.annotations.NullMarked;
