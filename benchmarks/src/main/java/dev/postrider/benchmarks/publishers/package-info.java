/** What a real broker behind the relay costs. Only trials with a real publisher belong here. */
@NullMarked
package dev.postrider.benchmarks.publishers;

import org.jspecify.annotations.NullMarked;
