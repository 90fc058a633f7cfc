package dev.postrider.testpool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkerTest {

    @TempDir
    Path folder;

    private TestModule module = new TestModule(Path.of(""), Path.of(""));

    @BeforeEach
    void writeClassPath() throws IOException {
        module = new TestModule(folder, folder.resolve("target"));
        Files.createDirectories(module.output());
        Files.writeString(module.output().resolve("test-class-path"), System.getProperty("java.class.path"));
    }

    @Test
    void everyOutcomeOfATestIsCounted() {
        try (Worker worker = start()) {
            ClassResult result = worker.run(MixedFixture.class.getName());

            assertThat(result.tests()).isEqualTo(4);
            assertThat(result.skipped()).isEqualTo(2);
            assertThat(result.failures()).singleElement().satisfies(failure -> {
                assertThat(failure.test()).isEqualTo("MixedFixture > fails()");
                assertThat(failure.error()).contains("first line").contains("second line");
            });
            assertThat(worker.lost()).isFalse();
        }
    }

    @Test
    void aClassWhoseSetUpFailsHasFailed() {
        try (Worker worker = start()) {
            ClassResult result = worker.run(BrokenSetUpFixture.class.getName());

            assertThat(result.failures())
                    .singleElement()
                    .satisfies(failure -> assertThat(failure.error()).contains("no server"));
        }
    }

    @Test
    void oneWorkerRunsManyClasses() {
        try (Worker worker = start()) {
            worker.run(BrokenSetUpFixture.class.getName());
            ClassResult second = worker.run(MixedFixture.class.getName());

            assertThat(second.tests()).isEqualTo(4);
        }
    }

    @Test
    void aClassThatEndsItsJvmHasFailedAndItsWorkerIsLost() {
        try (Worker worker = start()) {
            ClassResult result = worker.run(DyingFixture.class.getName());

            assertThat(result.failures())
                    .singleElement()
                    .satisfies(failure -> assertThat(failure.error())
                            .contains("The JVM ended before the class did")
                            .contains("worker.log"));
            assertThat(worker.lost()).isTrue();
        }
    }

    @Test
    void aClassThatDoesNotExistHasFailed() {
        try (Worker worker = start()) {
            ClassResult result = worker.run("dev.postrider.testpool.MissingTest");

            assertThat(result.failures()).isNotEmpty();
        }
    }

    private Worker start() {
        return Worker.start(module, List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"), folder.resolve("worker.log"));
    }
}
