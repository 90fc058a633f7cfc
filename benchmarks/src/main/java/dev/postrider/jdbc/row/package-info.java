/** The one door into the package of rows: what is measured alone is package-private. Only benchmarks belong here. */
@NullMarked
package dev.postrider.jdbc.row;

import org.jspecify.annotations.NullMarked;
