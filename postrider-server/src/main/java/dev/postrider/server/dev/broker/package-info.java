/**
 * The broker that {@code dev} runs in its own process: topics, consumers with acknowledged positions, and the faults
 * that a person may switch on. Nothing of the demo shop belongs here.
 */
@NullMarked
package dev.postrider.server.dev.broker;

import org.jspecify.annotations.NullMarked;
