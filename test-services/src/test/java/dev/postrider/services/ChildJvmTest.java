package dev.postrider.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

final class ChildJvmTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Test
    void aChildGetsArgumentsPropertiesAndEnvironment() {
        ChildJvm.Builder echo = ChildJvm.of(Echo.class)
                .heap("64m")
                .arguments("two words", "quote \" and \\ backslash", "")
                .systemProperty("colour", "dark red")
                .environment("PLACE", "here");

        try (ChildJvm child = echo.start()) {
            int status = child.awaitExit(PATIENCE);

            assertThat(status).isEqualTo(3);
            assertThat(child.output().lines())
                    .containsExactly("two words", "quote \" and \\ backslash", "", "dark red", "here");
        }
    }

    @Test
    void aKilledChildIsGone() {
        try (ChildJvm child = ChildJvm.of(Sleeper.class).start()) {
            child.awaitOutput("ready", PATIENCE);

            child.kill();

            assertThat(child.alive()).isFalse();
            assertThat(child.awaitExit(PATIENCE)).isEqualTo(128 + 9);
        }
    }

    @Test
    void aTerminatedChildRunsItsShutdownHooks() {
        try (ChildJvm child = ChildJvm.of(Sleeper.class).start()) {
            child.awaitOutput("ready", PATIENCE);

            child.terminate();

            assertThat(child.awaitExit(PATIENCE)).isEqualTo(128 + 15);
            assertThat(child.output()).contains("bye");
        }
    }

    @Test
    void aStoppedChildIsFrozenUntilItContinues() {
        try (ChildJvm child = ChildJvm.of(Sleeper.class).start()) {
            child.awaitOutput("ready", PATIENCE);

            child.stop();
            assertThat(state(child)).isEqualTo('T');
            child.cont();
            Poll.until(() -> state(child) != 'T', PATIENCE, () -> "still frozen");

            assertThat(child.alive()).isTrue();
        }
    }

    @Test
    void waitingForTextThatNeverComesNamesTheText() {
        try (ChildJvm child = ChildJvm.of(Echo.class).start()) {
            assertThatThrownBy(() -> child.awaitOutput("never", PATIENCE))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'never'");
        }
    }

    @Test
    void whatAKilledJvmStartedDiesWithIt() {
        try (ChildJvm parent = ChildJvm.of(Parent.class).start()) {
            parent.awaitOutput("started", PATIENCE);
            long pid = Long.parseLong(parent.output().lines().findFirst().orElseThrow());
            ProcessHandle child = ProcessHandle.of(pid).orElseThrow();

            ProcessHandle.of(parent.pid()).orElseThrow().destroyForcibly();

            Poll.until(() -> !child.isAlive(), PATIENCE, () -> "the child outlives its parent");
        }
    }

    // The third field of /proc/PID/stat, after the name in parentheses.
    private static char state(ChildJvm child) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(child.pid()), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return '?';
        }
    }

    static final class Echo {

        private Echo() {}

        public static void main(String[] arguments) {
            for (String argument : arguments) {
                System.out.println(argument);
            }
            System.out.println(System.getProperty("colour"));
            System.out.println(System.getenv("PLACE"));
            System.exit(3);
        }
    }

    static final class Sleeper {

        private Sleeper() {}

        public static void main(String[] arguments) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("bye")));
            System.out.println("ready");
            while (true) {
                LockSupport.park();
            }
        }
    }

    static final class Parent {

        private Parent() {}

        public static void main(String[] arguments) {
            System.out.println(ChildJvm.of(Sleeper.class).start().pid());
            System.out.println("started");
            while (true) {
                LockSupport.park();
            }
        }
    }
}
