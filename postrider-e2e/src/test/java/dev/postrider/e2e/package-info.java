/**
 * Tests of all modules together: relays in processes of their own, killed and frozen; and the rules between modules.
 */
@NullMarked
package dev.postrider.e2e;

import org.jspecify.annotations.NullMarked;
