/** Bulk actions and purges on large tables, beside relays at work. Only what needs millions of rows belongs here. */
@NullMarked
package dev.postrider.verification.volume;

import org.jspecify.annotations.NullMarked;
