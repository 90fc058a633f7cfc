/**
 * What publishers are made of, and the publishers that need no broker. Only what at least two publishers share, or what
 * applications use as a publisher, belongs here. A type of a broker's client does not.
 */
@NullMarked
package dev.postrider.publish;

import org.jspecify.annotations.NullMarked;
