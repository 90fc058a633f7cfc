/** Who takes part: Postrider, its peers with their best documented settings, and the physical limit. */
@NullMarked
package dev.postrider.benchmarks.contenders;

import org.jspecify.annotations.NullMarked;
