package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.all.Postrider;
import dev.postrider.relay.Relay;
import dev.postrider.spi.MessagePublisher;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs the classes that the guides show. */
final class GuidesTest {

    private static final Pattern EXAMPLE = Pattern.compile("^```java\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    @TempDir
    private Path classes;

    private final JdbcDataSource database = new JdbcDataSource();
    private final List<String> sent = new CopyOnWriteArrayList<>();
    private final MessagePublisher publisher = MessagePublisher.each(
            message -> sent.add(message.topic() + " " + message.key().orElse("")));
    private URLClassLoader loader;

    @BeforeEach
    void createDatabase(TestInfo test) throws Exception {
        database.setUrl("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1"
                .formatted(test.getDisplayName().replaceAll("\\W", "")));
        loader = new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader());
        // Hibernate looks for its entities there.
        Thread.currentThread().setContextClassLoader(loader);
    }

    @AfterEach
    void close() throws IOException {
        Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
        loader.close();
    }

    @Test
    void plainJdbcDeliversTheMessageOfACommittedOrder() throws Exception {
        execute("create table orders (id varchar(50) primary key)");
        Object desk = make(
                "getting-started.md",
                "OrderDesk",
                new Class<?>[] {DataSource.class, MessagePublisher.class},
                database,
                publisher);

        try (Relay relay = (Relay) call(desk, "startRelay")) {
            call(desk, "place", "42");

            await().atMost(RelayProcess.PATIENCE).until(() -> !sent.isEmpty());
            assertThat(sent).containsExactly("orders 42");
            assertThat(relay.health().alive()).isTrue();
        }
    }

    @Test
    void hibernateDeliversTheEventOfAStoredEntity() throws Exception {
        Postrider postrider = Postrider.on(database).publisher(publisher).build();
        postrider.migrate();
        Object desk = make(
                "getting-started.md",
                "ParcelDesk",
                new Class<?>[] {DataSource.class, Postrider.class},
                database,
                postrider);

        try (Relay relay = postrider.relay().build().start()) {
            call(desk, "send", "7");

            await().atMost(RelayProcess.PATIENCE).until(() -> !sent.isEmpty());
            assertThat(sent).containsExactly("parcels 7");
            assertThat(relay.health().alive()).isTrue();
        }
    }

    @Test
    void messagesWaitUntilTheOldOutboxIsEmpty() throws Exception {
        String left = "select count(*) from TXNO_OUTBOX where processed = false";
        execute("create table TXNO_OUTBOX (id varchar(36) primary key, processed boolean)");
        execute("insert into TXNO_OUTBOX values ('1', false)");
        Object move = make(
                "coming-from.md",
                "Move",
                new Class<?>[] {DataSource.class, MessagePublisher.class},
                database,
                publisher);
        Postrider postrider = Postrider.on(database).build();

        try (Relay relay = (Relay) call(move, "relay");
                Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            postrider
                    .outbox()
                    .enqueue(
                            connection,
                            postrider.message("orders", "placed").key("42").build());
            connection.commit();

            assertThat(call(move, "startWhenOldOutboxIsEmpty", left)).isEqualTo(false);
            assertThat(relay.health().ownedShards()).isZero();

            execute("update TXNO_OUTBOX set processed = true");
            assertThat(call(move, "startWhenOldOutboxIsEmpty", left)).isEqualTo(true);
            await().atMost(RelayProcess.PATIENCE).until(() -> !sent.isEmpty());
            assertThat(sent).containsExactly("orders 42");
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Object make(String page, String name, Class<?>[] types, Object... arguments) throws Exception {
        compile(example(page, name));
        Constructor<?> constructor = loader.loadClass("guide." + name).getDeclaredConstructor(types);
        constructor.setAccessible(true);
        return constructor.newInstance(arguments);
    }

    private static Object call(Object target, String name, Object... arguments) throws Exception {
        for (Method method : target.getClass().getDeclaredMethods()) {
            if (method.getName().equals(name)) {
                method.setAccessible(true);
                try {
                    return method.invoke(target, arguments);
                } catch (InvocationTargetException e) {
                    throw new IllegalStateException("The example failed", e.getCause());
                }
            }
        }
        throw new IllegalArgumentException("There is no method " + name);
    }

    private static String example(String page, String name) throws IOException {
        Matcher examples = EXAMPLE.matcher(Files.readString(Path.of("../docs").resolve(page)));
        while (examples.find()) {
            if (examples.group(1).contains("final class " + name + " {")) {
                return examples.group(1);
            }
        }
        throw new IllegalArgumentException("The page %s has no class %s".formatted(page, name));
    }

    private void compile(String text) {
        JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///Guide.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return "package guide;\n" + text;
            }
        };
        StringWriter errors = new StringWriter();
        List<String> options =
                List.of("-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(errors, null, null, options, null, List.of(file))
                .call();
        assertThat(compiled).as(errors.toString()).isTrue();
    }
}
