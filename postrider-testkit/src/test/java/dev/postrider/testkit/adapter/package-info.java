/** Stands where an adapter stands: outside the testkit's package. */
@NullMarked
package dev.postrider.testkit.adapter;

import org.jspecify.annotations.NullMarked;
