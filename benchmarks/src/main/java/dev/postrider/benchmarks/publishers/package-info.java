/** What a real broker behind the relay costs. */
@NullMarked
package dev.postrider.benchmarks.publishers;

import org.jspecify.annotations.NullMarked;
