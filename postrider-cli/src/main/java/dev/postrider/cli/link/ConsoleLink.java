package dev.postrider.cli.link;

import java.io.OutputStream;
import java.util.Map;

/** Carries requests to the operators' API. Closing it frees its connections. */
public interface ConsoleLink extends AutoCloseable {

    /**
     * Sends a request and returns the answer, whatever its status.
     *
     * @param method GET, POST or DELETE
     * @param path the path below the mount point, such as {@code /api/v1/sources/main/overview}
     * @param query the parameters, not yet encoded
     * @param body JSON; empty if there is none
     * @throws dev.postrider.cli.run.CliException if there is no connection
     */
    LinkAnswer send(String method, String path, Map<String, String> query, String body);

    /**
     * Asks for a file and writes it to {@code out} while it arrives.
     *
     * @return the answer; its body is empty if the file was written
     */
    LinkAnswer download(String path, Map<String, String> query, OutputStream out);

    @Override
    void close();
}
