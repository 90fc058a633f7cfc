package dev.postrider.services;

import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** H2 in the memory of this JVM. Settings become part of the URL. */
final class MemoryHost implements Host {

    private final String prefix = UUID.randomUUID().toString();
    private final String suffix;

    MemoryHost(ServerOptions options) {
        Map<String, String> settings = new TreeMap<>();
        // Without it the database would vanish with its last connection.
        settings.put("DB_CLOSE_DELAY", "-1");
        settings.put("TIME ZONE", options.timeZone().getId());
        settings.putAll(options.settings());
        StringBuilder text = new StringBuilder();
        settings.forEach(
                (name, value) -> text.append(';').append(name).append('=').append(value));
        this.suffix = text.toString();
    }

    @Override
    public String initialDatabase() {
        return "initial";
    }

    @Override
    public void create(String database) {
        // The first connection creates it.
    }

    @Override
    public void drop(String database) {
        Sql.execute(dataSource(database), "shutdown immediately");
    }

    @Override
    public String url(String database) {
        return "jdbc:h2:mem:" + prefix + "-" + database + suffix;
    }

    @Override
    public String user() {
        return "sa";
    }

    @Override
    public String password() {
        return "";
    }

    @Override
    public DataSource dataSource(String database) {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(url(database));
        source.setUser(user());
        source.setPassword(password());
        return source;
    }

    @Override
    public int port() {
        throw new UnsupportedOperationException("H2 runs in this JVM");
    }

    @Override
    public long pid() {
        throw new UnsupportedOperationException("H2 runs in this JVM");
    }

    @Override
    public String log() {
        return "";
    }

    @Override
    public void kill() {
        throw new UnsupportedOperationException("H2 runs in this JVM and cannot be killed");
    }

    @Override
    public void restart() {
        throw new UnsupportedOperationException("H2 runs in this JVM and cannot be restarted");
    }

    @Override
    public void restartAsStandby() {
        throw new UnsupportedOperationException("H2 runs in this JVM and cannot be a standby");
    }

    @Override
    public void close() {
        drop(initialDatabase());
    }
}
