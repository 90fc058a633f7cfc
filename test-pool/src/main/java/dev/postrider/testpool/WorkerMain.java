package dev.postrider.testpool;

import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Reads the names of test classes from standard input, runs each and answers with its {@link ClassResult}. */
public final class WorkerMain {

    private static final String TEST_TIMEOUT = System.getProperty("test.timeout", "5 m");

    private WorkerMain() {}

    /**
     * Ends when its input ends. What the tests print goes to standard error, because standard output is the answers'.
     */
    public static void main(String[] arguments) throws IOException {
        DataOutputStream answers = new DataOutputStream(System.out);
        System.setOut(System.err);
        BufferedReader names = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (LauncherSession session = LauncherFactory.openSession()) {
            for (String name = names.readLine(); name != null; name = names.readLine()) {
                run(session.getLauncher(), name).writeTo(answers);
            }
        }
        // A thread that a test left behind must not keep the JVM.
        System.exit(0);
    }

    static ClassResult run(Launcher launcher, String name) {
        TestCounter counter = new TestCounter();
        launcher.execute(
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(DiscoverySelectors.selectClass(name))
                        .configurationParameter("junit.jupiter.execution.timeout.default", TEST_TIMEOUT)
                        .build(),
                counter);
        return counter.result(name);
    }
}
