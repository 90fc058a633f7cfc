/** The command line: one class for each command, and the two ways to reach the operators' API. */
@NullMarked
package dev.postrider.cli;

import org.jspecify.annotations.NullMarked;
