/**
 * What tests need: an outbox in memory, publishers that record or misbehave, assertions, and the contracts every store
 * and every publisher must keep. It knows no database and no broker. Production code never depends on it.
 */
@NullMarked
package dev.postrider.testkit;

import org.jspecify.annotations.NullMarked;
