/** Tests on real databases. */
@NullMarked
package dev.postrider.inbox;

import org.jspecify.annotations.NullMarked;
