/**
 * What happens now: samples of each source in short intervals, their history in memory, the sentence about them, and
 * the overview that is served from them.
 */
@NullMarked
package dev.postrider.console.live;

import org.jspecify.annotations.NullMarked;
