/**
 * What a database or a broker adapter implements, and the records that go between them and the relay. Everything here
 * is public and is implemented outside of Postrider too. No code that runs a relay belongs here.
 */
@NullMarked
package dev.postrider.spi;

import org.jspecify.annotations.NullMarked;
