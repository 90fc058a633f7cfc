package dev.postrider.verification.simulator;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The broker and the network before it. What it stored is in the history; what it answers is another matter. */
final class Broker {

    private final Simulation simulation;
    private final Observer observer;
    private final Weather weather;
    private final Dice dice;
    private final Set<Integer> cured = new HashSet<>();

    Broker(Simulation simulation, Dice dice) {
        this.simulation = simulation;
        this.observer = simulation.observer();
        this.weather = simulation.weather();
        this.dice = dice;
    }

    MessagePublisher publisherOf(RelayProcess process) {
        return (wave, answers) -> publish(process, wave, answers);
    }

    /** From now on the message is taken like any other. */
    void cure(int message) {
        cured.add(message);
    }

    private void publish(RelayProcess process, List<ClaimedMessage> wave, PublishAnswers answers) {
        // The relay reports whatever a publisher throws, also the death of its own process, and goes on.
        if (!process.isAlive()) {
            throw new ProcessDied();
        }
        for (ClaimedMessage claimed : wave) {
            note(Fact.Kind.SENT, process, claimed, "");
        }
        for (ClaimedMessage claimed : wave) {
            if (dice.permille(30)) {
                process.pass(process.latency(dice));
            }
            if (dice.permille(weather.publishThrows)) {
                observer.note(Fact.Kind.FAULT, process.number(), Fact.NOBODY, "publish throws");
                threw(process, wave);
                if (wave.size() == 1) {
                    note(Fact.Kind.ANSWERED, process, claimed, PublishResult.Kind.FAILED.name());
                }
                throw new IllegalStateException("The connection is gone");
            }
            new Delivery(process, claimed, answers).begin();
        }
    }

    private void threw(RelayProcess process, List<ClaimedMessage> wave) {
        for (ClaimedMessage each : wave) {
            int number = PlannedMessage.numberOf(each.message());
            observer.note(Fact.Kind.THREW, process.number(), number, each.token(), wave.size(), "");
        }
    }

    private void note(Fact.Kind kind, RelayProcess process, ClaimedMessage claimed, String text) {
        observer.note(kind, process.number(), PlannedMessage.numberOf(claimed.message()), claimed.token(), 0, text);
    }

    /** One message on its way to the broker, and the answer on its way back. */
    private final class Delivery {

        private final RelayProcess process;
        private final ClaimedMessage claimed;
        private final PublishAnswers answers;
        private final int number;

        Delivery(RelayProcess process, ClaimedMessage claimed, PublishAnswers answers) {
            this.process = process;
            this.claimed = claimed;
            this.answers = answers;
            this.number = PlannedMessage.numberOf(claimed.message());
        }

        void begin() {
            switch (nature()) {
                case KILLER -> kill();
                case REJECTED -> answer(PublishResult.rejected("too large"), dice.millis(0, 20));
                case FAILS -> answer(PublishResult.failed("always fails"), dice.millis(0, 20));
                case GOOD, DAMAGED -> {
                    if (weather.isTopicDown(claimed.message().topic(), observer.now())) {
                        unavailable();
                    } else {
                        send();
                    }
                }
            }
        }

        private PlannedMessage.Nature nature() {
            return cured.contains(number) || number == PlannedMessage.FILLER
                    ? PlannedMessage.Nature.GOOD
                    : simulation.history().message(number).nature();
        }

        private void kill() {
            note(Fact.Kind.KILLED, process, claimed, "");
            process.crash();
            throw new ProcessDied();
        }

        private void unavailable() {
            fault("unavailable");
            if (dice.permille(100)) {
                store(dice.millis(0, 20));
            }
            answer(PublishResult.unavailable("leader not available"), dice.millis(0, 30));
        }

        private void send() {
            if (dice.permille(weather.brokerFails)) {
                fails();
            } else if (dice.permille(weather.brokerSilent)) {
                silent();
            } else if (dice.permille(250)) {
                stored();
                answerNow(PublishResult.acked());
            } else {
                long arrival = dice.millis(0, 8);
                store(arrival);
                answer(PublishResult.acked(), arrival + dice.millis(0, dice.permille(30) ? 400 : 8));
                if (weather.isRough() && dice.permille(30)) {
                    fault("duplicate answer");
                    answer(
                            dice.permille(500) ? PublishResult.acked() : PublishResult.failed("says so twice"),
                            arrival + dice.millis(0, 30));
                }
            }
        }

        private void fails() {
            fault("failed");
            if (dice.permille(250)) {
                fault("failed but stored");
                store(dice.millis(0, 1_500));
            }
            if (dice.permille(100)) {
                fault("rejected once");
                answer(PublishResult.rejected("refused by policy"), dice.millis(0, 20));
            } else {
                answer(PublishResult.failed("not now"), dice.millis(0, 20));
            }
        }

        private void silent() {
            int roll = dice.between(1, 3);
            if (roll == 1) {
                fault("request lost");
                return;
            }
            long arrival = dice.millis(0, dice.permille(300) ? 2_500 : 10);
            store(arrival);
            if (roll == 2) {
                fault("ack lost");
            } else {
                fault("ack late");
                answer(PublishResult.acked(), Math.max(arrival, dice.millis(800, 2_500)));
            }
        }

        private void store(long delay) {
            simulation.scheduler().after(delay, this::stored);
        }

        private void stored() {
            observer.note(
                    Fact.Kind.STORED,
                    process.number(),
                    number,
                    PlannedMessage.contentOf(claimed.message()),
                    0,
                    claimed.message().topic());
        }

        private void answer(PublishResult result, long delay) {
            simulation.scheduler().after(delay, () -> answerNow(result));
        }

        // A frozen process reads its socket when it goes on; a dead one never does.
        private void answerNow(PublishResult result) {
            if (!process.isAlive()) {
                return;
            }
            if (process.isFrozen()) {
                answer(result, process.frozenFor() + dice.millis(0, 2));
                return;
            }
            note(Fact.Kind.ANSWERED, process, claimed, result.kind().name());
            answers.answer(claimed, result);
        }

        private void fault(String name) {
            observer.note(Fact.Kind.FAULT, process.number(), number, name);
        }
    }
}
