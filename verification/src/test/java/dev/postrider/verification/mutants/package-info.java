/** The command {@code ./verification/mutants}, on results that are given to it. */
@org.jspecify.annotations.NullMarked
package dev.postrider.verification.mutants;
