/** What a database or a broker adapter implements. */
@NullMarked
package dev.postrider.spi;

import org.jspecify.annotations.NullMarked;
