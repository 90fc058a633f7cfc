/**
 * Writes answers for people and programs: tables, JSON, YAML, CSV, ages and colours. What a command asks belongs to the
 * package {@code command}.
 */
@NullMarked
package dev.postrider.cli.output;

import org.jspecify.annotations.NullMarked;
