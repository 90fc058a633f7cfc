package dev.postrider.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Goes through every exception type that the client has, so that a new client with new types shows here. */
final class KafkaErrorsTest {

    private static final List<Class<? extends Throwable>> TYPES = types();

    @Test
    void onlyWhatIsWrongWithTheRecordItselfIsRejected() {
        assertThat(names(type -> KafkaErrors.kind(type) == Kind.REJECTED))
                .containsExactlyInAnyOrder(
                        "InvalidTimestampException",
                        "InvalidTopicException",
                        "PolicyViolationException",
                        "RecordDeserializationException",
                        "RecordTooLargeException",
                        "SerializationException",
                        "UnsupportedForMessageFormatException");
        assertThat(KafkaErrors.kind(InvalidRecordException.class)).isEqualTo(Kind.REJECTED);
    }

    @Test
    void whatMayPassAndWhatIsAMatterOfRightsIsUnavailable() {
        assertThat(TYPES)
                .filteredOn(type -> RetriableException.class.isAssignableFrom(type)
                        || AuthorizationException.class.isAssignableFrom(type)
                        || AuthenticationException.class.isAssignableFrom(type))
                .hasSizeGreaterThan(40)
                .allSatisfy(type -> assertThat(KafkaErrors.kind(type)).isEqualTo(Kind.UNAVAILABLE));
    }

    @Test
    void theStateOfTheProducerOrOfTheClusterIsUnavailable() {
        assertThat(names(type -> KafkaErrors.kind(type) == Kind.UNAVAILABLE
                        && !RetriableException.class.isAssignableFrom(type)
                        && !AuthorizationException.class.isAssignableFrom(type)
                        && !AuthenticationException.class.isAssignableFrom(type)))
                .containsExactlyInAnyOrder(
                        "DuplicateSequenceException",
                        "InterruptException",
                        "InvalidPartitionsException",
                        "InvalidPidMappingException",
                        "InvalidProducerEpochException",
                        "InvalidReplicationFactorException",
                        "InvalidRequiredAcksException",
                        "InvalidTxnStateException",
                        "InvalidTxnTimeoutException",
                        "OutOfOrderSequenceException",
                        "ProducerFencedException",
                        "SecurityDisabledException",
                        "TransactionAbortableException",
                        "TransactionAbortedException",
                        "TransactionCoordinatorFencedException",
                        "TransactionalIdNotFoundException",
                        "UnknownProducerIdException",
                        "UnsupportedCompressionTypeException",
                        "UnsupportedVersionException");
        assertThat(KafkaErrors.kind(ConfigException.class)).isEqualTo(Kind.UNAVAILABLE);
    }

    // These may be the message's fault or not, so they are tried again a limited number of times.
    @Test
    void anythingElseFails() {
        assertThat(names(type -> KafkaErrors.kind(type) == Kind.FAILED))
                .contains("UnknownServerException", "InvalidRequestException", "RecordBatchTooLargeException")
                .doesNotContainAnyElementsOf(names(type -> KafkaErrors.kind(type) != Kind.FAILED));
        assertThat(KafkaErrors.kind(KafkaException.class)).isEqualTo(Kind.FAILED);
    }

    @Test
    @Tag("R0.6")
    void theFailureIsTheTypeOfTheError() {
        assertThat(KafkaErrors.result(new KafkaException(new RecordTooLargeException("1048 bytes")), "orders")
                        .failure())
                .startsWith("org.apache.kafka.common.errors.RecordTooLargeException")
                .doesNotContain("1048");
        assertThat(KafkaErrors.result(new TimeoutException("after 10 ms"), "orders")
                        .failure())
                .as("no message is to blame")
                .isNull();
    }

    @Test
    void aProducerEndsWhenItCannotKnowWhatTheBrokerHas() {
        assertThat(names(type -> KafkaErrors.endsProducer(type) && ApiException.class.isAssignableFrom(type)))
                .contains("TimeoutException", "ProducerFencedException", "OutOfOrderSequenceException")
                .contains("ClusterAuthorizationException", "SaslAuthenticationException")
                .doesNotContain("TopicAuthorizationException", "RecordTooLargeException", "NetworkException")
                .doesNotContain("UnknownTopicOrPartitionException", "NotEnoughReplicasException");
        assertThat(KafkaErrors.endsProducer(new KafkaException("in an error state")))
                .isTrue();
        assertThat(KafkaErrors.endsProducer(new IllegalStateException("closed")))
                .isTrue();
    }

    @Test
    void theCauseInsideAWrapperCounts() {
        Exception wrapped = new ExecutionException(new KafkaException("state", new RecordTooLargeException("big")));

        PublishResult result = KafkaErrors.result(wrapped, "orders");
        assertThat(result.kind()).isEqualTo(Kind.REJECTED);
        assertThat(result.error()).isEqualTo("RecordTooLargeException: big");
        assertThat(result.retryAfter()).isZero();
    }

    @Test
    void aMissingAndAForbiddenTopicSayWhatToDo() {
        assertThat(KafkaErrors.result(new UnknownTopicOrPartitionException("?"), "orders"))
                .isEqualTo(PublishResult.unavailable(
                        "Kafka has no topic 'orders': create it, or correct the publisher's topic template"));
        assertThat(KafkaErrors.result(new TopicAuthorizationException(Set.of("orders")), "orders"))
                .isEqualTo(PublishResult.unavailable(
                        "Kafka forbids the publisher topic 'orders': grant its user DESCRIBE and WRITE on it"));
    }

    @Test
    void impossibleTopicNameIsNamed() {
        PublishResult result = KafkaErrors.result(new InvalidTopicException("The request failed"), "with space");

        assertThat(result.kind()).isEqualTo(Kind.REJECTED);
        assertThat(result.error())
                .isEqualTo("Kafka allows no topic of the name 'with space': correct the publisher's topic template"
                        + " (InvalidTopicException: The request failed)");
    }

    @Test
    void textsAreShortAndHarmless() {
        PublishResult result = KafkaErrors.result(new TimeoutException("a\r\nb\u0000c" + "x".repeat(2_000)), "orders");

        assertThat(result.error()).startsWith("TimeoutException: a  b cxxx").hasSizeLessThan(600);
    }

    private static Set<String> names(Predicate<Class<? extends Throwable>> condition) {
        return TYPES.stream()
                .filter(condition)
                .map(Class::getSimpleName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Class<? extends Throwable>> types() {
        try {
            Path file = Path.of(ApiException.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            List<Class<? extends Throwable>> found = new ArrayList<>();
            try (JarFile jar = new JarFile(file.toFile())) {
                for (String name : jar.stream().map(Object::toString).toList()) {
                    if (name.matches("org/apache/kafka/common/errors/\\w+\\.class")) {
                        found.add(Class.forName(name.replace('/', '.').replaceFirst("\\.class$", ""))
                                .asSubclass(Throwable.class));
                    }
                }
            }
            return found;
        } catch (IOException | URISyntaxException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
