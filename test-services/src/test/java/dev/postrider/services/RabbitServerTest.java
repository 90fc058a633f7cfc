package dev.postrider.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class RabbitServerTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @BeforeAll
    static void requireRabbit() {
        Availability availability = RabbitServer.available();
        assumeTrue(availability.available(), availability::reason);
    }

    @Test
    void aKilledNodeComesBackWithItsData() {
        try (RabbitServer server = RabbitServer.start()) {
            server.ctl("add_user", "alice", "secret");

            server.kill();
            assertThat(connects(server)).isFalse();
            server.restart();

            assertThat(server.ctl("list_users")).contains("alice");
        }
    }

    @Test
    void aFrozenNodeAnswersNobodyUntilItIsThawed() throws IOException {
        try (RabbitServer server = RabbitServer.start()) {
            server.freeze();
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                socket.setSoTimeout(1_000);
                socket.getOutputStream().write(new byte[] {'A', 'M', 'Q', 'P', 0, 0, 9, 1});

                assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(IOException.class);
                server.thaw();
                socket.setSoTimeout((int) PATIENCE.toMillis());
                assertThat(socket.getInputStream().read()).isNotNegative();
            }
        }
    }

    @Test
    void nothingIsLeftOfAClosedNode() {
        List<ProcessHandle> others = ProcessHandle.current().descendants().toList();
        RabbitServer server = RabbitServer.start();
        List<ProcessHandle> processes = ProcessHandle.current()
                .descendants()
                .filter(process -> !others.contains(process))
                .toList();

        server.close();

        Poll.until(
                () -> processes.stream().noneMatch(ProcessHandle::isAlive),
                PATIENCE,
                () -> "still alive: "
                        + processes.stream()
                                .filter(ProcessHandle::isAlive)
                                .map(ProcessHandle::info)
                                .toList());
        assertThat(server.folder()).doesNotExist();
    }

    @Test
    void aNodeAndItsPortMapperDieWithTheJvmThatStartedThem() {
        try (ChildJvm parent = ChildJvm.of(Parent.class).start()) {
            parent.awaitOutput("started", PATIENCE);
            Path folder = Path.of(parent.output().lines().findFirst().orElseThrow());
            List<ProcessHandle> family =
                    ProcessHandle.of(parent.pid()).orElseThrow().descendants().toList();
            assertThat(family).hasSizeGreaterThan(2);

            ProcessHandle.of(parent.pid()).orElseThrow().destroyForcibly();

            Poll.until(
                    () -> family.stream().noneMatch(ProcessHandle::isAlive) && !Files.exists(folder),
                    PATIENCE,
                    () -> "something outlives the JVM: "
                            + family.stream()
                                    .filter(ProcessHandle::isAlive)
                                    .map(ProcessHandle::info)
                                    .toList());
        }
    }

    @Test
    void theSharedNodeCannotBeKilled() {
        RabbitServer server = RabbitServer.shared();

        assertThatThrownBy(server::kill).isInstanceOf(IllegalStateException.class);

        assertThat(RabbitServer.shared()).isSameAs(server);
        assertThat(server.ctl("list_users")).contains("guest");
    }

    private static boolean connects(RabbitServer server) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    static final class Parent {

        private Parent() {}

        public static void main(String[] arguments) {
            RabbitServer server = RabbitServer.start();
            System.out.println(server.folder());
            System.out.println("started");
            LockSupport.parkNanos(PATIENCE.toNanos());
        }
    }
}
