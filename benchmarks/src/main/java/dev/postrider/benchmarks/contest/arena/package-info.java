/**
 * Where a contest takes place: servers, brokers, crowds, cargo, and what a contender has to implement. Nothing here
 * measures.
 */
@NullMarked
package dev.postrider.benchmarks.contest.arena;

import org.jspecify.annotations.NullMarked;
