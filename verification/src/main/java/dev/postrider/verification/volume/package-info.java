/** Bulk actions and purges on large tables, beside relays at work. */
@NullMarked
package dev.postrider.verification.volume;

import org.jspecify.annotations.NullMarked;
