package dev.postrider.e2e;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import java.io.BufferedWriter;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * Sends to a {@link Sink} over one connection and answers when the sink has confirmed. A message of the topic
 * {@value #DEADLY} ends the process at once. Thread-safe.
 */
final class SinkPublisher implements MessagePublisher {

    static final String DEADLY = "deadly";

    private record Sent(ClaimedMessage claimed, PublishAnswers answers) {}

    private final Socket socket;
    private final Writer out;
    private final Queue<Sent> unconfirmed = new ArrayDeque<>();

    private SinkPublisher(Socket socket, Writer out) {
        this.socket = socket;
        this.out = out;
    }

    static SinkPublisher connect(int port) {
        try {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            Writer out =
                    new BufferedWriter(new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8), 65536);
            return new SinkPublisher(socket, out);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not reach the sink at port " + port, e);
        }
    }

    /** Says who is sending and begins to listen for confirmations. */
    void introduce(String relay) {
        say(relay);
        Thread reader = new Thread(this::read, "sink-answers");
        reader.setDaemon(true);
        reader.start();
    }

    synchronized void say(String line) {
        try {
            out.write(line + "\n");
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not reach the sink", e);
        }
    }

    @Override
    public synchronized void publish(List<ClaimedMessage> wave, PublishAnswers answers) {
        try {
            for (ClaimedMessage claimed : wave) {
                if (claimed.message().topic().equals(DEADLY)) {
                    out.flush();
                    Runtime.getRuntime().halt(RelayMain.HALTED);
                }
                unconfirmed.add(new Sent(claimed, answers));
                out.write(LogPublisher.line(claimed) + "\n");
            }
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not reach the sink", e);
        }
    }

    private void read() {
        try (DataInputStream in = new DataInputStream(socket.getInputStream())) {
            long confirmed = 0;
            while (true) {
                long arrived = in.readLong();
                for (; confirmed < arrived; confirmed++) {
                    Sent next = next();
                    next.answers.answer(next.claimed, PublishResult.acked());
                }
            }
        } catch (IOException e) {
            // The sink is gone, and with it the test.
            Runtime.getRuntime().halt(1);
        }
    }

    private synchronized Sent next() {
        return unconfirmed.remove();
    }
}
