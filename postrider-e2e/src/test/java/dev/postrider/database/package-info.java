/** Opens the fault points to tests. */
@NullMarked
package dev.postrider.database;

import org.jspecify.annotations.NullMarked;
