/** The one door into the store's package: what is measured alone is package-private. */
@NullMarked
package dev.postrider.jdbc;

import org.jspecify.annotations.NullMarked;
