/** What the inbox costs a handler. */
@NullMarked
package dev.postrider.benchmarks.inbox;

import org.jspecify.annotations.NullMarked;
