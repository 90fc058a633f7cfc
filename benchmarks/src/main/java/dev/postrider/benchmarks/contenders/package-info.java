/**
 * Who takes part: Postrider, its peers with their best documented settings, and the physical limit. A contender only
 * translates between its library and the arena.
 */
@NullMarked
package dev.postrider.benchmarks.contenders;

import org.jspecify.annotations.NullMarked;
