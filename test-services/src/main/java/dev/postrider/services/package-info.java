/** Starts the real databases and child JVMs that the tests need, without containers. */
@NullMarked
package dev.postrider.services;

import org.jspecify.annotations.NullMarked;
