package dev.postrider.alert;

import dev.postrider.spi.ErrorText;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes alerts to the log: CRITICAL as an error, WARNING as a warning, and the end of either as information.
 * Thread-safe.
 */
public final class LogAlertSender implements AlertSender {

    private static final Logger log = LoggerFactory.getLogger(LogAlertSender.class);

    @Override
    public void send(Alert alert) {
        String text = ErrorText.clean(alert.summary());
        String details = details(alert.details());
        if (alert.state() == Alert.State.RESOLVED) {
            log.info("RESOLVED {}: {} {}", alert.name(), text, details);
        } else if (alert.severity() == Alert.Severity.CRITICAL) {
            log.error("CRITICAL {}: {} {}", alert.name(), text, details);
        } else {
            log.warn("WARNING {}: {} {}", alert.name(), text, details);
        }
    }

    private static String details(Map<String, String> details) {
        return details.entrySet().stream()
                .map(detail -> ErrorText.clean(detail.getKey() + "=" + detail.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
