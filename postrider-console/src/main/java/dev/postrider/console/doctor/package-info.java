/**
 * Checks of what Postrider's promises rest on: the database's settings, its tables and the broker. Each finding says
 * which promise it concerns and what to do.
 */
@NullMarked
package dev.postrider.console.doctor;

import org.jspecify.annotations.NullMarked;
