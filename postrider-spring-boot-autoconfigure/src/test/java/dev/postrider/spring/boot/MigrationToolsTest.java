package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.all.Postrider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration;

/** The tables of Postrider beside those of a migration tool, or made by it. */
final class MigrationToolsTest {

    @TempDir
    private Path folder;

    @Test
    void tablesAreCreatedBesideThoseOfFlyway() throws IOException {
        Files.writeString(folder.resolve("V1__orders.sql"), "create table orders (id bigint primary key);\n");

        Contexts.embedded()
                .withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
                .withBean(Deliveries.class)
                .withPropertyValues("spring.flyway.locations=filesystem:" + folder)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(tables(context.getBean(DataSource.class)))
                            .contains("orders", "outbox_message", "inbox_message", "saga_instance");
                });
    }

    @Test
    void tablesThatFlywayMakesPassTheValidation() throws IOException {
        Files.writeString(folder.resolve("V1__postrider.sql"), schemaSql());

        Contexts.embedded()
                .withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
                .withBean(Deliveries.class)
                .withPropertyValues(
                        "postrider.schema.mode=validate",
                        "spring.flyway.placeholder-replacement=false",
                        "spring.flyway.locations=filesystem:" + folder)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void tablesAreCreatedBesideThoseOfLiquibase() throws IOException {
        Path changelog = folder.resolve("changelog.sql");
        Files.writeString(changelog, """
                --liquibase formatted sql
                --changeset shop:1
                create table orders (id bigint primary key);
                """);

        Contexts.embedded()
                .withConfiguration(AutoConfigurations.of(LiquibaseAutoConfiguration.class))
                .withBean(Deliveries.class)
                .withPropertyValues("spring.liquibase.change-log=" + changelog.toUri())
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(tables(context.getBean(DataSource.class)))
                            .contains("orders", "outbox_message", "inbox_message", "saga_instance");
                });
    }

    private static String schemaSql() {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setUrl("jdbc:h2:mem:printed");
        return Postrider.on(h2).build().schemaSql();
    }

    private static List<String> tables(DataSource dataSource) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select lower(table_name) from information_schema.tables")) {
            while (row.next()) {
                names.add(row.getString(1));
            }
        }
        return names;
    }
}
