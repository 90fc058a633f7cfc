package dev.postrider.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Keeps the page and the test that it shows the same. */
final class PageTest {

    @Test
    void pageShowsTheTestThatRuns() throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/postrider/spring/test/OrdersTest.java"));

        assertThat(Files.readString(Path.of("../docs/spring-testing.md")))
                .contains(source.substring(source.indexOf("@PostriderTest\n")));
    }
}
