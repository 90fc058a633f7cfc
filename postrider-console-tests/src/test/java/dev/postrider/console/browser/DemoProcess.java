package dev.postrider.console.browser;

import dev.postrider.server.PostriderMain;
import dev.postrider.services.ChildJvm;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A process of {@code postrider dev} with its shop, broker and relays. */
final class DemoProcess implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Pattern ADDRESS = Pattern.compile("Console +(http://127\\.0\\.0\\.1:\\d+/)");

    private final ChildJvm jvm;
    private final String address;

    private DemoProcess(ChildJvm jvm) {
        this.jvm = jvm;
        jvm.awaitOutput("Try next", PATIENCE);
        Matcher found = ADDRESS.matcher(jvm.output());
        if (!found.find()) {
            throw new IllegalStateException("No address in: " + jvm.output());
        }
        address = found.group(1);
    }

    static DemoProcess start(String... arguments) {
        return new DemoProcess(ChildJvm.of(PostriderMain.class)
                .quickStart()
                .arguments("dev", "--port", "0")
                .arguments(arguments)
                .start());
    }

    String address() {
        return address;
    }

    @Override
    public void close() {
        jvm.close();
    }
}
