package dev.postrider.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AlertTest {

    @Test
    void detailsKeepTheirOrderAndCannotChange() {
        Map<String, String> details = new LinkedHashMap<>();
        details.put("z", "1");
        details.put("a", "2");
        Alert alert = alert("dead", details);
        details.clear();

        assertThat(alert.details().keySet()).containsExactly("z", "a");
        assertThatThrownBy(() -> alert.details().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void anAlertHasAName() {
        assertThatThrownBy(() -> alert(" ", Map.of())).isInstanceOf(IllegalArgumentException.class);
    }

    private static Alert alert(String name, Map<String, String> details) {
        return new Alert(name, Alert.Severity.WARNING, Alert.State.FIRING, "summary", details, Instant.EPOCH);
    }
}
