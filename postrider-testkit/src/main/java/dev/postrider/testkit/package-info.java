/**
 * What tests need: an outbox in memory, publishers that record or misbehave, assertions, and the contracts every store
 * and every publisher must keep.
 */
@NullMarked
package dev.postrider.testkit;

import org.jspecify.annotations.NullMarked;
