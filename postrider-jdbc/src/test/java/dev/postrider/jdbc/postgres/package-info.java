/** Tests on real databases. */
@NullMarked
package dev.postrider.jdbc.postgres;

import org.jspecify.annotations.NullMarked;
