/**
 * Runs a definition of a saga through every failure it must survive, and checks what is left afterwards. It works
 * through the public types of sagas and the fault points of {@code database}.
 */
@NullMarked
package dev.postrider.saga.testkit;

import org.jspecify.annotations.NullMarked;
