package dev.postrider.benchmarks.contest.trial;

import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Parameters;
import dev.postrider.services.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A relay of Postrider's in a process of its own, and the line to it: one answer to each command. */
final class RelayProcess implements AutoCloseable {

    private static final int CONNECT_MILLIS = 60_000;
    private static final int ANSWER_MILLIS = 60_000;

    private final ChildJvm child;
    private final Socket line;
    private final BufferedReader answers;
    private final PrintWriter commands;

    private RelayProcess(ChildJvm child, Socket line) throws IOException {
        this.child = child;
        this.line = line;
        this.answers = new BufferedReader(new InputStreamReader(line.getInputStream(), StandardCharsets.US_ASCII));
        this.commands = new PrintWriter(line.getOutputStream(), true, StandardCharsets.US_ASCII);
    }

    /** Starts a relay that delivers to a sink of the arena's kind; it joins the others as soon as it can. */
    static RelayProcess start(Arena arena) throws IOException {
        try (ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ChildJvm child = ChildJvm.of(RelayMain.class)
                    .heap("512m")
                    .jvmOptions("-Xms512m", "-XX:+UseParallelGC", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn")
                    .arguments(Parameters.none()
                            .with("url", arena.url())
                            .with("user", arena.user())
                            .with("password", arena.password())
                            .with("sink", arena.kind().name())
                            .with("broker", arena.broker())
                            .with("port", door.getLocalPort())
                            .arguments()
                            .toArray(String[]::new))
                    .start();
            try {
                door.setSoTimeout(CONNECT_MILLIS);
                Socket line = door.accept();
                line.setSoTimeout(ANSWER_MILLIS);
                line.setTcpNoDelay(true);
                return new RelayProcess(child, line);
            } catch (IOException e) {
                String output = child.output();
                child.close();
                throw new IOException("The relay did not call:%n%s".formatted(output), e);
            }
        }
    }

    /** Lets the relay forget what it has counted and expect the messages 0 to {@code messages - 1}. */
    void expect(int messages) throws IOException {
        tell("expect " + messages, "expecting");
    }

    /** Returns when nothing of the relay is in flight; it keeps its shards. */
    void pause() throws IOException {
        tell("pause", "paused");
    }

    void resume() throws IOException {
        tell("resume", "resumed");
    }

    /** Hands all shards over and delivers nothing until {@link #join}; the process stays as warm as it is. */
    void leave() throws IOException {
        tell("leave", "left");
    }

    void join() throws IOException {
        tell("join", "joined");
    }

    RelayCounts counts() throws IOException {
        return RelayCounts.parse(ask("counts"));
    }

    /** Returns when each message arrived, by {@link System#nanoTime}. */
    long[] times() throws IOException {
        return Arrays.stream(ask("times").split(" ", -1))
                .mapToLong(Long::parseLong)
                .toArray();
    }

    private void tell(String command, String expected) throws IOException {
        String answer = ask(command);
        if (!answer.equals(expected)) {
            throw new IOException("The relay answered '%s' to '%s'".formatted(answer, command));
        }
    }

    private String ask(String command) throws IOException {
        commands.println(command);
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("The relay has ended:%n%s".formatted(child.output()));
        }
        return answer;
    }

    @Override
    public void close() throws IOException {
        try (child) {
            line.close();
        }
    }
}
