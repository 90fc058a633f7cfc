/** What the inbox costs a handler. Only trials of the receiving side belong here. */
@NullMarked
package dev.postrider.benchmarks.inbox;

import org.jspecify.annotations.NullMarked;
