package dev.postrider.services;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Facts about the machine the tests run on. */
final class Machine {

    private Machine() {}

    static Optional<String> obstacle() {
        String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        return system.equals("Linux amd64")
                ? Optional.empty()
                : Optional.of("The database servers are built for Linux amd64, this is " + system);
    }

    static boolean root() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not find out who runs this JVM", e);
        }
    }

    /**
     * Returns a free port below the range that the kernel gives to clients. From within that range a client that keeps
     * connecting to a killed server would one day get the server's port as its own and be connected to itself.
     */
    static int freePort() {
        for (int attempt = 0; attempt < 1_000; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(15_000, 32_768);
            try (ServerSocket socket = new ServerSocket()) {
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return port;
            } catch (IOException e) {
                // Taken: try another one.
            }
        }
        throw new IllegalStateException("No free port between 15000 and 32767");
    }
}
