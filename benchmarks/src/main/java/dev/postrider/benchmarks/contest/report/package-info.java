/**
 * What is told of the figures: scores, ratios, tables, pages. Only what reads figures belongs here; nothing here runs a
 * trial.
 */
@NullMarked
package dev.postrider.benchmarks.contest.report;

import org.jspecify.annotations.NullMarked;
