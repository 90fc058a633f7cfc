/** Tests on real databases. */
@NullMarked
package dev.postrider.jdbc;

import org.jspecify.annotations.NullMarked;
