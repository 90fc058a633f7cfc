package dev.postrider.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServerCheckTest {

    @ParameterizedTest
    @CsvSource({"MARIADB, 10.6.18-MariaDB-log", "MARIADB, 5.5.68-MariaDB", "MYSQL, 8.0.18", "MYSQL, 5.7.44-log"})
    void aServerThatIsTooOldIsRefused(Dialect dialect, String version) {
        assertThat(ServerCheck.tooOld(dialect, version))
                .hasValueSatisfying(text -> assertThat(text).contains(version, "or newer"));
    }

    @ParameterizedTest
    @CsvSource({"MARIADB, 10.7.1-MariaDB", "MARIADB, 11.4.5-MariaDB", "MYSQL, 8.0.19", "MYSQL, 9.1.0", "MYSQL, unknown"
    })
    void aServerThatIsNewEnoughIsAccepted(Dialect dialect, String version) {
        assertThat(ServerCheck.tooOld(dialect, version)).isEmpty();
    }
}
