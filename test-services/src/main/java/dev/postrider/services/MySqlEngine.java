package dev.postrider.services;

import com.mysql.cj.jdbc.MysqlDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** MySQL from the distribution that jcabi repackages. */
record MySqlEngine() implements Engine {

    private static final Pattern NEEDED = Pattern.compile("((?:bin/mysqld$|share/|lib/private/).*)");

    // With --skip-name-resolve root@localhost does not match a TCP connection.
    private static final String ROOT_BY_TCP = """
            create user 'root'@'127.0.0.1' identified by '';
            grant all on *.* to 'root'@'127.0.0.1' with grant option;
            """;

    @Override
    public String artifact() {
        return "mysql";
    }

    @Override
    public void unpack(Path archive, Path home) throws IOException {
        Archives.unpackZip(archive, NEEDED, home);
    }

    @Override
    public Optional<String> obstacle(Path home) {
        String libraries = Command.run(List.of("ldd", home.resolve("bin/mysqld").toString()));
        if (libraries.contains("libaio.so.1 => not found")) {
            return Optional.of("MySQL needs libaio.so.1, please run: sudo apt-get install -y libaio1");
        }
        return Optional.empty();
    }

    @Override
    public void initialize(Path home, Path data) throws IOException {
        Path users = Files.writeString(data.resolveSibling(data.getFileName() + ".sql"), ROOT_BY_TCP);
        List<String> command = new ArrayList<>();
        command.addAll(List.of(home.resolve("bin/mysqld").toString(), "--no-defaults", "--initialize-insecure"));
        command.addAll(List.of("--basedir=" + home, "--datadir=" + data, "--init-file=" + users));
        command.add("--innodb-use-native-aio=OFF");
        command.addAll(InnoDb.userOption());
        Command.run(command);
        Files.delete(users);
    }

    @Override
    public void tidy(Path data) throws IOException {
        Files.deleteIfExists(data.resolve("m.sock.lock"));
    }

    @Override
    public List<String> command(Launch launch) {
        Map<String, String> options = InnoDb.options(launch);
        options.put("mysqlx", "OFF");
        options.put("auto-generate-certs", "OFF");
        if (!launch.options().durable()) {
            options.put("skip-log-bin", "");
            options.put("innodb-redo-log-capacity", "32M");
        }
        return InnoDb.command(
                launch.home().resolve("bin/mysqld"), options, launch.options().settings());
    }

    @Override
    public String initialDatabase() {
        return "mysql";
    }

    @Override
    public String url(int port, String database) {
        return "jdbc:mysql://127.0.0.1:" + port + "/" + database + "?sslMode=DISABLED&allowPublicKeyRetrieval=true";
    }

    @Override
    public String user() {
        return "root";
    }

    @Override
    public DataSource dataSource(String url) {
        MysqlDataSource source = new MysqlDataSource();
        source.setUrl(url);
        source.setUser(user());
        source.setPassword("");
        return source;
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
