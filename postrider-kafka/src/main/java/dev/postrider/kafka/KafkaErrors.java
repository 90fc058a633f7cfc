package dev.postrider.kafka;

import dev.postrider.spi.ErrorText;
import dev.postrider.spi.Failure;
import dev.postrider.spi.PublishResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.DuplicateSequenceException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidRequiredAcksException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.errors.TransactionCoordinatorFencedException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.errors.UnknownProducerIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;

/** What an exception of Kafka's client means for a message and for the producer, by its type alone. */
final class KafkaErrors {

    private static final int MAX_DEPTH = 10;

    private static final List<Class<? extends Exception>> REJECTED = List.of(
            RecordTooLargeException.class,
            InvalidRecordException.class,
            InvalidTimestampException.class,
            InvalidTopicException.class,
            PolicyViolationException.class,
            SerializationException.class,
            UnsupportedForMessageFormatException.class);

    // After these a producer does not know any more what the broker has of it, or sends nothing ever again.
    private static final List<Class<? extends Exception>> ENDS_PRODUCER = List.of(
            AuthenticationException.class,
            AuthorizationException.class,
            DuplicateSequenceException.class,
            InvalidPidMappingException.class,
            InvalidProducerEpochException.class,
            InvalidTxnStateException.class,
            OutOfOrderSequenceException.class,
            ProducerFencedException.class,
            TimeoutException.class,
            TransactionCoordinatorFencedException.class,
            TransactionalIdNotFoundException.class,
            UnknownProducerIdException.class,
            UnsupportedVersionException.class);

    // The broker, the topic, the credentials or the configuration, but no message, is to blame.
    private static final List<Class<? extends Exception>> UNAVAILABLE = List.of(
            ConfigException.class,
            InterruptException.class,
            InvalidPartitionsException.class,
            InvalidReplicationFactorException.class,
            InvalidRequiredAcksException.class,
            InvalidTxnTimeoutException.class,
            RetriableException.class,
            SecurityDisabledException.class,
            TransactionAbortableException.class,
            TransactionAbortedException.class,
            UnsupportedCompressionTypeException.class);

    private KafkaErrors() {}

    /** Returns the answer for a message to {@code topic} that met this error. */
    static PublishResult result(Throwable error, String topic) {
        Throwable cause = unwrap(error);
        PublishResult.Kind kind = kind(cause.getClass());
        String failure = kind == PublishResult.Kind.UNAVAILABLE ? null : Failure.of(cause);
        return new PublishResult(kind, text(cause, topic), Duration.ZERO, failure);
    }

    static PublishResult.Kind kind(Class<? extends Throwable> error) {
        if (isAny(error, REJECTED)) {
            return PublishResult.Kind.REJECTED;
        }
        return isAny(error, UNAVAILABLE) || isAny(error, ENDS_PRODUCER)
                ? PublishResult.Kind.UNAVAILABLE
                : PublishResult.Kind.FAILED;
    }

    /** Says whether the producer that reported this error must not be used again. */
    static boolean endsProducer(Throwable error) {
        return endsProducer(unwrap(error).getClass());
    }

    static boolean endsProducer(Class<? extends Throwable> error) {
        // Forbidden is one topic and interrupted is the caller: neither is the producer.
        if (isAny(error, List.of(TopicAuthorizationException.class, InterruptException.class))) {
            return false;
        }
        return isAny(error, ENDS_PRODUCER) || !ApiException.class.isAssignableFrom(error);
    }

    /** Says whether the same request may succeed in a moment, so that the error says nothing about a topic. */
    static boolean isPassing(@Nullable Throwable error) {
        return error != null
                && unwrap(error) instanceof RetriableException
                && !(unwrap(error) instanceof UnknownTopicOrPartitionException);
    }

    /** Says whether the error, without what the client wraps it in, is of this type. */
    static boolean isCausedBy(Throwable error, Class<? extends Throwable> type) {
        return type.isInstance(unwrap(error));
    }

    /** Says whether another producer with the same transactional id has begun. */
    static boolean fenced(Throwable error) {
        Throwable cause = unwrap(error);
        return cause instanceof ProducerFencedException || cause instanceof InvalidProducerEpochException;
    }

    /** Returns one line that names the error, made harmless and short. */
    static String text(Throwable error) {
        Throwable cause = unwrap(error);
        return ErrorText.clean(cause.getClass().getSimpleName() + ": " + cause.getMessage());
    }

    private static String text(Throwable cause, String topic) {
        if (cause instanceof UnknownTopicOrPartitionException) {
            return ErrorText.clean(
                    "Kafka has no topic '%s': create it, or correct the publisher's topic template".formatted(topic));
        }
        if (cause instanceof TopicAuthorizationException) {
            return ErrorText.clean(
                    "Kafka forbids the publisher topic '%s': grant its user DESCRIBE and WRITE on it".formatted(topic));
        }
        if (cause instanceof InvalidTopicException) {
            return ErrorText.clean("Kafka allows no topic of the name '%s': correct the publisher's topic template (%s)"
                    .formatted(topic, text(cause)));
        }
        return text(cause);
    }

    // The client wraps what went wrong once it is in an error state.
    private static Throwable unwrap(Throwable error) {
        Throwable cause = error;
        for (int depth = 0; depth < MAX_DEPTH && isWrapper(cause) && cause.getCause() != null; depth++) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static boolean isWrapper(Throwable error) {
        return error.getClass() == KafkaException.class
                || error instanceof ExecutionException
                || error instanceof CompletionException;
    }

    private static boolean isAny(Class<? extends Throwable> error, List<Class<? extends Exception>> types) {
        return types.stream().anyMatch(type -> type.isAssignableFrom(error));
    }
}
