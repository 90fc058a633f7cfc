/** Tests on real databases. */
@NullMarked
package dev.postrider.jdbc.operator;

import org.jspecify.annotations.NullMarked;
