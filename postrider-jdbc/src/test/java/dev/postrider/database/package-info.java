/** Tests on real databases. */
@NullMarked
package dev.postrider.database;

import org.jspecify.annotations.NullMarked;
