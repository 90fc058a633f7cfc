package dev.postrider.services;

import javax.sql.DataSource;

/** Something that holds databases: a server process, or the memory of this JVM. */
interface Host extends AutoCloseable {

    String initialDatabase();

    void create(String database);

    /** Drops the database, or does nothing if the host is no longer running. */
    void drop(String database);

    String url(String database);

    String user();

    String password();

    DataSource dataSource(String database);

    int port();

    long pid();

    String log();

    void kill();

    void restart();

    void restartAsStandby();

    @Override
    void close();
}
