/** What a fetch costs, whatever else is in the table. Only measurements of single statements belong here. */
@NullMarked
package dev.postrider.verification.claims;

import org.jspecify.annotations.NullMarked;
