package dev.postrider.server.dev;

import dev.postrider.server.PostriderServer;
import dev.postrider.server.dev.shop.DemoShop;
import dev.postrider.server.source.StartException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a database, a broker, relays and a demo shop in this process until it is asked to end. */
@Command(
        name = "dev",
        description = "Runs a demo with everything it needs in one process, and serves the console.",
        mixinStandardHelpOptions = true)
public final class DevCommand implements Callable<Integer> {

    private static final long LONGEST_STOP_SECONDS = 30;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--database",
            paramLabel = "URL",
            description = "JDBC URL of a database; missing tables are created in it. Default: a temporary one.")
    private @Nullable String database;

    @Option(names = "--user", paramLabel = "NAME", description = "User of the database.")
    private @Nullable String user;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "File with the password; or set POSTRIDER_PASSWORD.")
    private @Nullable Path passwordFile;

    @Option(
            names = "--broker",
            paramLabel = "URL",
            description = "kafka://host:port, amqp://user@host/vhost or http://host/path. Default: one in the process.")
    private @Nullable String broker;

    @Option(names = "--no-demo", description = "Runs no demo shop: relays, broker and console only.")
    private boolean noDemo;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port of the console on this machine; 0 for any free one. Default: ${DEFAULT-VALUE}.",
            defaultValue = "" + PostriderServer.PORT)
    private int port;

    @Option(
            names = "--rate",
            paramLabel = "NUMBER",
            description = "Messages per second of the demo, at most " + DemoShop.HIGHEST_RATE
                    + ". Default: ${DEFAULT-VALUE}.",
            defaultValue = "" + DevSettings.PER_SECOND)
    private int rate;

    /** Makes the command. */
    public DevCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = Objects.requireNonNull(spec, "spec").commandLine().getOut();
        try {
            return run(out);
        } catch (StartException e) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("postrider: " + e.line());
            err.flush();
            return e.exitCode();
        }
    }

    private int run(PrintWriter out) throws InterruptedException {
        DevSettings settings = settings();
        DevLog.quiet();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        try (DevProcess process = DevProcess.start(settings, port)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(asked, ended), "dev-stop"));
            print(out, process.greeting());
            asked.await();
            print(out, List.of("", "Stopping: what is due is still delivered."));
            print(out, process.stop().lines());
        } finally {
            ended.countDown();
        }
        return 0;
    }

    // The process ends when its hooks have ended, so this one waits for the main thread to put everything in order.
    private static void stop(CountDownLatch asked, CountDownLatch ended) {
        asked.countDown();
        try {
            boolean unused = ended.await(LONGEST_STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private DevSettings settings() {
        if (rate < 0 || rate > DemoShop.HIGHEST_RATE) {
            throw new StartException(
                    StartException.USAGE,
                    "--rate must be between 0 and %d but was %d".formatted(DemoShop.HIGHEST_RATE, rate),
                    null);
        }
        return new DevSettings(database, user, password(), broker, !noDemo, rate);
    }

    private @Nullable String password() {
        if (passwordFile == null) {
            return System.getenv("POSTRIDER_PASSWORD");
        }
        try {
            return Files.readString(passwordFile).strip();
        } catch (IOException e) {
            throw new StartException(StartException.USAGE, "Cannot read the password file " + passwordFile, e);
        }
    }

    private static void print(PrintWriter out, List<String> lines) {
        lines.forEach(out::println);
        out.flush();
    }
}
