/**
 * The one door into the relay's package: the simulator drives the real classes, which are package-private. Only the
 * stepped relay belongs here.
 */
@NullMarked
package dev.postrider.relay;

import org.jspecify.annotations.NullMarked;
