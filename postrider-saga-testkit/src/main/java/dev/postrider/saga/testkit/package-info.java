/** Runs a definition of a saga through every failure it must survive, and checks what is left afterwards. */
@NullMarked
package dev.postrider.saga.testkit;

import org.jspecify.annotations.NullMarked;
