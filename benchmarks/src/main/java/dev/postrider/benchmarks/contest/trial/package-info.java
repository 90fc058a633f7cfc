/**
 * What is measured of one contender: each kind of trial, its processes, and the figures it gives. A trial knows its
 * arena and no other contender.
 */
@NullMarked
package dev.postrider.benchmarks.contest.trial;

import org.jspecify.annotations.NullMarked;
