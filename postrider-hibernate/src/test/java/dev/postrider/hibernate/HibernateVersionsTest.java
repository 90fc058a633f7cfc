package dev.postrider.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.services.ClientJars;
import dev.postrider.testpool.OtherVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.hibernate.Version;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The integration with another version of Hibernate than the one it is compiled against: that of Spring Boot 4.0. */
final class HibernateVersionsTest {

    private static final Path PAGE = Path.of("..", "docs", "hibernate.md");

    static Stream<OtherVersion> versions() {
        return ClientJars.of("hibernate-core").stream().map(OtherVersion::of);
    }

    @ParameterizedTest
    @MethodSource("versions")
    void eventsAreEnqueuedWithTheVersion(OtherVersion hibernate) {
        OtherVersion.Outcome outcome = hibernate.run(
                HibernateVersionTest.class,
                PostriderHibernateTest.class,
                EventsAtFlushTest.class,
                EventsAfterFailureTest.class);

        assertThat(outcome.failures()).isEmpty();
        assertThat(outcome.tests() - outcome.skipped()).isGreaterThan(40);
    }

    @Test
    void pageNamesEveryVersion() throws IOException {
        String page = Files.readString(PAGE);

        assertThat(page).contains(Version.getVersionString());
        assertThat(versions()).allSatisfy(hibernate -> assertThat(page).contains(hibernate.version()));
    }
}
