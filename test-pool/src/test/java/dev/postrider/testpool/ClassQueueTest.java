package dev.postrider.testpool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClassQueueTest {

    @TempDir
    Path root;

    @Test
    void theLongestClassComesFirst() throws IOException {
        TestModule module = module("jdbc", "a/QuickTest", "a/SlowIT", "a/UnknownTest");

        ClassQueue queue = queue(Map.of("SlowIT", 90, "QuickTest", 1), ".*", module);

        assertThat(queue.next(module)).contains("a.SlowIT");
        assertThat(queue.next(module)).contains("a.UnknownTest");
        assertThat(queue.next(module)).contains("a.QuickTest");
        assertThat(queue.next(module)).isEmpty();
    }

    @Test
    void aWorkerJoinsTheModuleWithMostWorkForEachWorker() throws IOException {
        TestModule large = module("large", "LargeTest", "LongTest");
        TestModule small = module("small", "SmallTest");

        ClassQueue queue = queue(Map.of("LargeTest", 50, "LongTest", 50, "SmallTest", 60), ".*", large, small);

        assertThat(queue.join()).contains(large);
        assertThat(queue.join()).contains(small);
        assertThat(queue.join()).contains(large);
    }

    @Test
    void aLittleWorkIsLeftToTheWorkerThatIsThere() throws IOException {
        TestModule module = module("jdbc", "OneTest", "TwoTest");
        ClassQueue queue = queue(Map.of(), ".*", module);

        assertThat(queue.join()).contains(module);
        assertThat(queue.join()).isEmpty();
        queue.left(module);
        assertThat(queue.join()).contains(module);
    }

    @Test
    void onlyWantedClassesOfSurefireAndFailsafeAreQueued() throws IOException {
        TestModule module = module("jdbc", "OneTest", "OneTest$Nested", "OneIT", "Fixture", "OtherTest");

        ClassQueue queue = queue(Map.of(), "(?!.*IT$)One.*", module);

        assertThat(queue.size()).isEqualTo(1);
        assertThat(queue.next(module)).contains("OneTest");
    }

    @Test
    void everyClassIsQueuedOnceForEachRound() throws IOException {
        TestModule module = module("jdbc", "OneTest", "TwoTest");
        Options options =
                new Options(1, Path.of("logs"), Pattern.compile(".*"), 3, List.of(), Map.of(), List.of(module));

        assertThat(new ClassQueue(options, new ClassSeconds(Map.of())).size()).isEqualTo(6);
    }

    private static ClassQueue queue(Map<String, Integer> seconds, String classes, TestModule... modules) {
        Options options =
                new Options(1, Path.of("logs"), Pattern.compile(classes), 1, List.of(), Map.of(), List.of(modules));
        return new ClassQueue(options, new ClassSeconds(seconds));
    }

    private TestModule module(String name, String... classes) throws IOException {
        TestModule module = new TestModule(root.resolve(name), root.resolve(name));
        for (String each : classes) {
            Path file = module.output().resolve("test-classes").resolve(each + ".class");
            Files.createDirectories(file.getParent());
            Files.createFile(file);
        }
        return module;
    }
}
