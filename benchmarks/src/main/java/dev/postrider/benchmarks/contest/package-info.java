/** Postrider and its peers, each in a process of its own, under the same workloads. */
@NullMarked
package dev.postrider.benchmarks.contest;

import org.jspecify.annotations.NullMarked;
