/**
 * Moves claimed messages to the broker and writes the outcome back. It decides the order, the pace and the end of each
 * attempt. It speaks to the database and the broker through {@code spi} only, so no type of JDBC or of a broker's
 * client may enter.
 */
@NullMarked
package dev.postrider.relay;

import org.jspecify.annotations.NullMarked;
