/** Tests on real databases. */
@NullMarked
package dev.postrider.jdbc.row;

import org.jspecify.annotations.NullMarked;
