package dev.postrider.safety;

import dev.postrider.alert.Alert;
import dev.postrider.alert.AlertSender;
import dev.postrider.spi.ErrorText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends alerts about dead messages, many in one alert. For one thread. */
final class AlertLevel implements Level {

    static final String NAME = "postrider_dead_message_not_recorded";

    private static final Logger log = LoggerFactory.getLogger(AlertLevel.class);
    private static final int MOST_SHOWN = 10;

    private final AlertSender sender;
    private final Tally tally;

    AlertLevel(AlertSender sender, Tally tally) {
        this.sender = sender;
        this.tally = tally;
    }

    // An alert may take seconds, so all queued messages go into one.
    @Override
    public List<DeadMessage> save(List<DeadMessage> dead) {
        try {
            sender.send(alert(dead));
        } catch (RuntimeException e) {
            tally.failed.addAndGet(dead.size());
            log.error("The alert about {} dead messages could not be sent: {}", dead.size(), ErrorText.of(e));
            return dead;
        }
        tally.alert.addAndGet(dead.size());
        dead.forEach(each -> log.error("An alert was sent about dead message {}", DeadMessageText.of(each)));
        return List.of();
    }

    private static Alert alert(List<DeadMessage> dead) {
        Map<String, String> details = new LinkedHashMap<>();
        details.put("messages", String.valueOf(dead.size()));
        details.put("relay", dead.get(0).relay());
        dead.stream()
                .limit(MOST_SHOWN)
                .forEach(each -> details.put(each.message().id().toString(), DeadMessageText.of(each)));
        if (dead.size() > MOST_SHOWN) {
            details.put("more", "%d more are named in the log of the relay".formatted(dead.size() - MOST_SHOWN));
        }
        return new Alert(
                NAME,
                Alert.Severity.CRITICAL,
                Alert.State.FIRING,
                "%d dead messages are not recorded: the database refused them".formatted(dead.size()),
                details,
                dead.get(0).at());
    }

    @Override
    public void close() {}
}
