package dev.postrider.spring.boot.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.MessageStatus;
import dev.postrider.Outbox;
import dev.postrider.OutboxMessage;
import dev.postrider.all.Postrider;
import dev.postrider.spring.boot.Contexts;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration;
import org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The trace of the transaction goes on in the headers of its messages. */
final class TracingTest {

    private static final OutboxMessage MESSAGE =
            OutboxMessage.to("orders", "placed").build();

    @Test
    void messageCarriesTheTraceOfTheSpanThatEnqueuesIt() {
        run(traced(), context -> {
            Tracer tracer = context.getBean(Tracer.class);
            TraceContext request = Observation.createNotStarted("request", context.getBean(ObservationRegistry.class))
                    .observe(() -> {
                        enqueue(context, MESSAGE);
                        return Objects.requireNonNull(tracer.currentSpan()).context();
                    });

            assertThat(headers(context).get("traceparent"))
                    .matches("00-%s-[0-9a-f]{16}-0[13]"
                            .formatted(Objects.requireNonNull(request).traceId()))
                    .doesNotContain(request.spanId());
        });
    }

    @Test
    void headerThatTheMessageHasStaysAsItIs() {
        run(traced(), context -> {
            enqueue(
                    context,
                    OutboxMessage.to("orders", "placed")
                            .header("traceparent", "my own")
                            .header("colour", "red")
                            .build());

            assertThat(headers(context)).containsEntry("traceparent", "my own").containsEntry("colour", "red");
        });
    }

    @Test
    void messageOfAnApplicationWithoutTracingHasNoMoreHeaders() {
        run(runner().withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class)), context -> {
            enqueue(context, MESSAGE);

            assertThat(context.getBean(ObservationRegistry.class)).isNotNull();
            assertThat(headers(context)).isEmpty();
        });
    }

    @Test
    void applicationWithoutObservationsStarts() {
        run(runner().withClassLoader(new FilteredClassLoader("io.micrometer")), context -> {
            enqueue(context, MESSAGE);

            assertThat(headers(context)).isEmpty();
        });
    }

    private static ApplicationContextRunner traced() {
        return runner().withConfiguration(AutoConfigurations.of(
                        ObservationAutoConfiguration.class,
                        OpenTelemetrySdkAutoConfiguration.class,
                        OpenTelemetryTracingAutoConfiguration.class,
                        MicrometerTracingAutoConfiguration.class))
                .withPropertyValues("management.tracing.sampling.probability=1");
    }

    private static ApplicationContextRunner runner() {
        return Contexts.embedded().withPropertyValues("postrider.relay.enabled=false");
    }

    private static void run(ApplicationContextRunner runner, Consumer<ApplicationContext> test) {
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            test.accept(context);
        });
    }

    private static void enqueue(ApplicationContext context, OutboxMessage message) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> context.getBean(Outbox.class).enqueue(message));
    }

    private static Map<String, String> headers(ApplicationContext context) {
        return Objects.requireNonNull(context.getBean(Postrider.class)
                .admin()
                .list(MessageStatus.PENDING, 0, 10)
                .get(0)
                .message()
                .headers());
    }
}
