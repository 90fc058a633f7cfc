package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.Attempt;
import dev.postrider.admin.StoredMessage;
import dev.postrider.relay.KeyPolicy;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Settlement.Outcome;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How a relay delivers, tries again and gives up. */
abstract class RelayDeliveryContract extends RelaySteps {

    @Test
    @Tag("R0.2")
    void everythingIsDeliveredOnceAndInOrderOfItsKey() {
        OutboxMessage[] messages = messages(10, 20);
        enqueue(messages);

        start(relay());

        awaitDelivered(messages);
        assertInOrder(10);
        assertThat(publisher.broker().received()).hasSize(messages.length);
    }

    @Test
    @Tag("B1")
    void theOrderOfAKeySurvivesAFlakyBroker() {
        OutboxMessage[] messages = messages(10, 20);
        enqueue(messages);
        publisher
                .failNext(7)
                .answerTwice(3)
                .ackThenThrow()
                .failNext(5)
                .unavailableNext(2)
                .failNext(11);

        start(relay());

        awaitDelivered(messages);
        assertInOrder(10);
    }

    @Test
    @Tag("R0.3")
    @Tag("R3.4")
    void aMessageThatFailsIsTriedAgainAndThenDead() {
        OutboxMessage message = message("42");
        enqueue(message);
        publisher.always(any -> true, PublishResult.failed("refused"));

        start(relay().retry(quickly(3)));

        await(() -> status(message) == MessageStatus.DEAD);
        StoredMessage dead = admin().find(message.id()).orElseThrow();
        assertThat(dead.attempts()).isEqualTo(3);
        assertThat(dead.lastError()).isEqualTo("refused");
    }

    @Test
    @Tag("R4.5")
    void aMessageMayHaveALimitOfItsOwn() {
        OutboxMessage message =
                OutboxMessage.to("orders", "Placed").key("42").maxAttempts(2).build();
        enqueue(message);
        publisher.always(any -> true, PublishResult.failed("refused"));

        start(relay());

        await(() -> status(message) == MessageStatus.DEAD);
        assertThat(attempts(message)).isEqualTo(2);
    }

    @Test
    @Tag("R4.2")
    void aDamagedMessageIsDeadAtOnceAndNeverPublished() {
        OutboxMessage[] messages = messages(10, 5);
        enqueue(messages);
        OutboxMessage damaged = messages[20];
        OutboxMessage behind = messages[30];
        damage(damaged.id());
        List<ClaimedMessage> heard = new CopyOnWriteArrayList<>();

        start(relay().listener(new RelayListener() {
            @Override
            public void integrityFailed(ClaimedMessage defective) {
                heard.add(defective);
            }
        }));

        awaitDelivered(Arrays.stream(messages)
                .filter(message -> !message.key().equals(damaged.key()))
                .toArray(OutboxMessage[]::new));
        awaitDelivered(messages[0], messages[10]);
        await(() -> status(damaged) == MessageStatus.DEAD);
        StoredMessage dead = admin().find(damaged.id()).orElseThrow();
        assertThat(dead.lastError()).isEqualTo(dead.defect()).isNotBlank();
        assertThat(dead.attempts()).isEqualTo(1);
        assertThat(heard).extracting(each -> each.message().id()).containsOnly(damaged.id());
        await(() -> status(behind) == MessageStatus.PENDING);
        assertThat(received()).as("its key is held").doesNotContain(damaged.id(), behind.id());
    }

    @Test
    @Tag("R4.2")
    void aRequeuedMessageDiesAgainUntilItsRowIsRepaired() {
        OutboxMessage damaged = message("42");
        OutboxMessage behind = message("42");
        enqueue(damaged, behind);
        damage(damaged.id());
        start(relay());
        await(() -> status(damaged) == MessageStatus.DEAD);
        Instant died = died(damaged);

        admin().requeue(List.of(damaged.id()), DECISION);
        await(() -> status(damaged) == MessageStatus.DEAD && !died(damaged).equals(died));
        assertThat(received()).isEmpty();
        repair(damaged.id());
        admin().requeue(List.of(damaged.id()), DECISION);

        awaitDelivered(damaged, behind);
        assertThat(received()).containsExactly(damaged.id(), behind.id());
    }

    @Test
    void aRejectedMessageIsDeadAtOnce() {
        OutboxMessage message = message("42");
        enqueue(message);
        publisher.rejectNext(1);

        start(relay());

        await(() -> status(message) == MessageStatus.DEAD);
        assertThat(attempts(message)).isEqualTo(1);
    }

    @Test
    @Tag("B1")
    void aBlockedKeyWaitsForItsFirstMessageAndOtherKeysDoNot() {
        OutboxMessage poison = poison("1");
        OutboxMessage behind = message("1");
        OutboxMessage other = message("2");
        enqueue(poison, behind, other);
        publisher.always(RelayContract::isPoison, PublishResult.rejected("poison"));

        start(relay());

        awaitDelivered(other);
        await(() -> status(poison) == MessageStatus.DEAD);
        assertThat(happensWithinAMoment(() -> status(behind) == MessageStatus.DELIVERED))
                .isFalse();
        admin().discard(List.of(poison.id()), DECISION);
        awaitDelivered(behind);
    }

    @Test
    @Tag("B1")
    void aRequeuedMessageIsDeliveredBeforeWhatWaitedBehindIt() {
        OutboxMessage poison = poison("1");
        OutboxMessage behind = message("1");
        enqueue(poison, behind);
        publisher.rejectNext(1);
        start(relay());
        await(() -> status(poison) == MessageStatus.DEAD);

        admin().requeue(List.of(poison.id()), DECISION);

        awaitDelivered(poison, behind);
        assertThat(publisher.broker().received())
                .extracting(OutboxMessage::id)
                .containsExactly(poison.id(), behind.id());
    }

    @Test
    @Tag("B1")
    void aParkedMessageLetsItsKeyGoOn() {
        OutboxMessage poison = poison("1");
        OutboxMessage next = message("1");
        enqueue(poison, next);
        publisher.always(RelayContract::isPoison, PublishResult.failed("poison"));

        start(relay().keyPolicy(KeyPolicy.PARK_AND_CONTINUE));

        awaitDelivered(next);
        publisher.recover();
        awaitDelivered(poison);
    }

    @Test
    void aDelayedMessageIsDeliveredWhenItsTimeHasCome() {
        OutboxMessage delayed =
                OutboxMessage.to("orders", "Placed").deliverAfter(MOMENT).build();
        enqueue(delayed);

        start(relay());

        awaitDelivered(delayed);
        StoredMessage.Times times = admin().find(delayed.id()).orElseThrow().times();
        assertThat(times.delivered()).isAfterOrEqualTo(times.created().plus(MOMENT));
    }

    @Test
    @Tag("R0.6")
    void everyAttemptOfARelayIsRemembered() {
        OutboxMessage message = message("42");
        enqueue(message);
        publisher.always(any -> true, PublishResult.failed("no order 42"));

        Relay relay = start(relay().retry(quickly(3)));

        await(() -> status(message) == MessageStatus.DEAD);
        assertThat(admin().find(message.id()).orElseThrow().failure()).isEqualTo("no order *");
        assertThat(admin().attempts(message.id())).hasSize(3).allSatisfy(attempt -> {
            assertThat(attempt.relay()).isEqualTo(relay.name());
            assertThat(attempt.error()).isEqualTo("no order 42");
            assertThat(attempt.failure()).isEqualTo("no order *");
        });
        assertThat(admin().attempts(message.id()))
                .extracting(Attempt::outcome)
                .containsExactly(Outcome.RETRY, Outcome.RETRY, Outcome.DEAD);
    }

    @Test
    @Tag("R3.3")
    void aMessageWithoutAnAnswerIsSentAgain() {
        OutboxMessage message = message("42");
        enqueue(message);
        publisher.dropAnswers(1);

        start(relay().publishTimeout(MOMENT));

        awaitDelivered(message);
        // On a slow machine the second answer may be late too.
        assertThat(publisher.broker().received()).hasSizeGreaterThanOrEqualTo(2);
        assertThat(attempts(message)).isGreaterThanOrEqualTo(2);
    }
}
