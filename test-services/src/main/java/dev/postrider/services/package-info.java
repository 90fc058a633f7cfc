/**
 * Starts the real databases and child JVMs that the tests need, without containers. It knows nothing of Postrider, so
 * that every module may use it.
 */
@NullMarked
package dev.postrider.services;

import org.jspecify.annotations.NullMarked;
