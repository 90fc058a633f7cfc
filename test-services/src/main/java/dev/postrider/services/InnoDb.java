package dev.postrider.services;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What MariaDB and MySQL have in common. */
final class InnoDb {

    private InnoDb() {}

    /** Returns the options of a running server that both know. */
    static Map<String, String> options(Engine.Launch launch) {
        ServerOptions wanted = launch.options();
        Map<String, String> options = new LinkedHashMap<>();
        options.put("basedir", launch.home().toString());
        options.put("datadir", launch.data().toString());
        options.put("port", Integer.toString(launch.port()));
        options.put("bind-address", "127.0.0.1");
        // Relative to the data folder, because the path of a socket may have no more than 107 characters.
        options.put("socket", "m.sock");
        options.put("pid-file", "m.pid");
        options.put("skip-name-resolve", "");
        options.put("skip-ssl", "");
        options.put("performance-schema", "OFF");
        options.put("max-connections", "200");
        options.put("max-allowed-packet", "64M");
        options.put("character-set-server", "utf8mb4");
        options.put("innodb-buffer-pool-size", wanted.bufferMegabytes() + "M");
        // The kernel's limit on native AIO is shared by all servers of the machine.
        options.put("innodb-use-native-aio", "OFF");
        // 2 survives a killed process, 0 would not.
        options.put("innodb-flush-log-at-trx-commit", wanted.durable() ? "1" : "2");
        options.put("sync-binlog", wanted.durable() ? "1" : "0");
        // The zone itself comes from TZ: named zones would need the time zone tables filled.
        options.put("default-time-zone", "SYSTEM");
        return options;
    }

    static List<String> command(Path program, Map<String, String> options, Map<String, String> settings) {
        Map<String, String> all = new LinkedHashMap<>(options);
        settings.forEach((name, value) -> all.put(name.replace('_', '-').toLowerCase(Locale.ROOT), value));
        List<String> command = new ArrayList<>(List.of(program.toString(), "--no-defaults"));
        command.addAll(userOption());
        all.forEach((name, value) -> command.add("--" + name + (value.isEmpty() ? "" : "=" + value)));
        return command;
    }

    /** Both refuse to run as root unless told to. */
    static List<String> userOption() {
        return Machine.root() ? List.of("--user=root") : List.of();
    }

    /** Dropping waits for open transactions, by default for up to a year. */
    static List<String> dropStatements(String database) {
        return List.of("set session lock_wait_timeout = 10", "drop database if exists " + database);
    }
}
