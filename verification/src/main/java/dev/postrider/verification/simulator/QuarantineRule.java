package dev.postrider.verification.simulator;

import dev.postrider.MessageStatus;
import java.util.HashMap;
import java.util.Map;

/** P7: a message that kills the process does so a bounded number of times, and nothing else dies of it. */
final class QuarantineRule implements Rule {

    private final History history;
    private final Findings findings;
    private final Map<Integer, Integer> kills = new HashMap<>();
    private int losses;

    QuarantineRule(History history, Findings findings) {
        this.history = history;
        this.findings = findings;
    }

    @Override
    public void follow(Fact fact) {
        switch (fact.kind()) {
            case KILLED -> {
                if (kills.merge(fact.message(), 1, Integer::sum) > Plan.QUARANTINE_AFTER + losses) {
                    findings.add(Invariant.QUARANTINE, fact, "killed more processes than it may");
                }
                // The crash that follows is no loss of its own.
                losses--;
            }
            // A process that is lost after the last trial and before the verdict is written makes another trial.
            case CRASHED, FROZEN, SUSPENDED, STOPPED_BUSY, STEP_FAILED -> losses++;
            // A journal that is forgotten takes the lost claims with it that it would have shown.
            case FAULT -> losses += fact.text().equals("held up") || fact.text().equals("JOURNAL_FORGOTTEN") ? 1 : 0;
            case REQUEUED -> kills.remove(fact.message());
            case STATE -> {
                boolean innocent = history.message(fact.message()).nature() == PlannedMessage.Nature.GOOD;
                if (history.plan().kind() == Plan.Kind.KILLER
                        && innocent
                        && fact.changeOrFail().to() == MessageStatus.DEAD) {
                    findings.add(Invariant.QUARANTINE, fact, "died of somebody else's fault");
                }
                // The process that wrote the outcome of an attempt has survived the message: the count begins again.
                if (fact.changeOrFail().to() == MessageStatus.PENDING) {
                    kills.remove(fact.message());
                }
            }
            default -> {}
        }
    }
}
