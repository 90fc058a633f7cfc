package dev.postrider.services;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** What differs between the servers: how one is unpacked, set up, run and spoken to. */
interface Engine {

    /** Where and how one server runs. */
    record Launch(Path home, Path data, int port, ServerOptions options) {}

    /** The name of the archive in {@code services.properties}. */
    String artifact();

    void unpack(Path archive, Path home) throws IOException;

    /** Says what of the machine is missing to run the binaries in {@code home}. */
    Optional<String> obstacle(Path home);

    /** Creates the system tables in the folder {@code data}, which does not exist yet. */
    void initialize(Path home, Path data) throws IOException;

    /** Removes what a killed server left behind and the next one would stumble over. */
    void tidy(Path data) throws IOException;

    /** Makes the next start on {@code data} that of a standby, which only replays and reads. */
    default void standby(Path data) throws IOException {
        throw new UnsupportedOperationException(artifact() + " cannot be a standby here");
    }

    List<String> command(Launch launch);

    String initialDatabase();

    String url(int port, String database);

    String user();

    DataSource dataSource(String url);

    /** A query for the server's data folder, which tells our server from another one on the same port. */
    String dataFolderQuery();

    List<String> dropStatements(String database);

    /** The signal for an orderly end that does not wait for clients. */
    String stopSignal();

    /** The signal for the quickest end that leaves nothing behind outside the data folder. */
    String abortSignal();
}
