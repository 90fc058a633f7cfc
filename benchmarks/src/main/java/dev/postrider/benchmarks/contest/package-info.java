/**
 * Postrider and its peers, each in a process of its own, under the same workloads. Only what puts a contest together
 * belongs here: the programme and its scale.
 */
@NullMarked
package dev.postrider.benchmarks.contest;

import org.jspecify.annotations.NullMarked;
