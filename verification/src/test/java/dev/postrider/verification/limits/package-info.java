/** The limits in small. */
@org.jspecify.annotations.NullMarked
package dev.postrider.verification.limits;
