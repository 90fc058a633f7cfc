/** What a fetch costs, whatever else is in the table. */
@NullMarked
package dev.postrider.verification.claims;

import org.jspecify.annotations.NullMarked;
