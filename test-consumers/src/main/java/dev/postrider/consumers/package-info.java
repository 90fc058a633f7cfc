/** What the tests of all consumers share. Only what is the same for every broker belongs here. */
@NullMarked
package dev.postrider.consumers;

import org.jspecify.annotations.NullMarked;
