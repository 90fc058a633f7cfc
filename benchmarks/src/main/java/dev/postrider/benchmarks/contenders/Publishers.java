package dev.postrider.benchmarks.contenders;

import com.rabbitmq.client.ConnectionFactory;
import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Cargo;
import dev.postrider.benchmarks.contest.arena.Sink;
import dev.postrider.kafka.KafkaPublisher;
import dev.postrider.publish.HandlerPublisher;
import dev.postrider.rabbitmq.RabbitPublisher;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import java.util.List;

/** Postrider's own way to each sink. */
public final class Publishers {

    private static final int HANDLER_THREADS = 16;

    private Publishers() {}

    /** Returns the publisher to the arena's sink, which notes every arrival. */
    public static MessagePublisher of(Arena arena) throws Exception {
        Sink sink = arena.sink();
        return switch (arena.kind()) {
            case NOOP -> new Direct(sink);
            case HANDLER, WORK ->
                HandlerPublisher.builder()
                        .threads(HANDLER_THREADS)
                        .handler(
                                Cargo.TOPIC,
                                delivery -> sink.take("", delivery.message().payload()))
                        .build();
            case KAFKA -> new Noted(sink, KafkaPublisher.builder(arena.broker()).build());
            case RABBITMQ -> {
                ConnectionFactory factory = new ConnectionFactory();
                factory.setUri(arena.broker());
                yield new Noted(sink, RabbitPublisher.builder(factory).build());
            }
        };
    }

    /** Takes messages in the relay's own thread. */
    private record Direct(Sink sink) implements MessagePublisher {

        @Override
        public void publish(List<ClaimedMessage> wave, PublishAnswers answers) {
            for (ClaimedMessage claimed : wave) {
                sink.arrivals().arrived(Cargo.number(claimed.message().payload()));
                answers.answer(claimed, PublishResult.acked());
            }
        }
    }

    /** Notes what the broker has acked. */
    private record Noted(Sink sink, MessagePublisher publisher) implements MessagePublisher {

        @Override
        public void publish(List<ClaimedMessage> wave, PublishAnswers answers) {
            publisher.publish(wave, (message, result) -> {
                if (result.kind() == PublishResult.Kind.ACKED) {
                    sink.arrivals().arrived(Cargo.number(message.message().payload()));
                }
                answers.answer(message, result);
            });
        }

        @Override
        public void close() {
            publisher.close();
        }
    }
}
