/** What the tests of all consumers share. */
@NullMarked
package dev.postrider.consumers;

import org.jspecify.annotations.NullMarked;
