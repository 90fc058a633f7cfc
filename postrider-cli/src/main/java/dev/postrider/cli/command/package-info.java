/**
 * The commands. Each builds a request to the operators' API and prints the answer; a command that changes something
 * only says what it would do until {@code --execute} is given.
 */
@NullMarked
package dev.postrider.cli.command;

import org.jspecify.annotations.NullMarked;
