/** The volume in small. */
@org.jspecify.annotations.NullMarked
package dev.postrider.verification.volume;
