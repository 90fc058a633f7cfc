package dev.postrider.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test a fresh outbox in memory and a broker, as parameters: {@link dev.postrider.Outbox} or
 * {@link InMemoryOutbox}, {@link InMemoryOutboxStore}, {@link RecordingPublisher}, {@link FlakyPublisher} in front of
 * it, and the {@link VirtualClock} that drives them.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(OutboxExtension.class)
public @interface OutboxTest {}
