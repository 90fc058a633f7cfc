/** The entry of the command line. The commands are in the package {@code command}. */
@NullMarked
package dev.postrider.cli;

import org.jspecify.annotations.NullMarked;
