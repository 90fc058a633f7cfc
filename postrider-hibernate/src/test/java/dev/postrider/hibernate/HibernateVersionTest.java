package dev.postrider.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testpool.OtherVersion;
import org.hibernate.Version;
import org.junit.jupiter.api.Test;

/** Shows that {@link HibernateVersionsTest} runs with the versions it says. */
final class HibernateVersionTest {

    @Test
    void hibernateHasTheVersionThatWasAskedFor() {
        String version = Version.getVersionString();

        assertThat(version).isEqualTo(System.getProperty(OtherVersion.PROPERTY, version));
    }
}
