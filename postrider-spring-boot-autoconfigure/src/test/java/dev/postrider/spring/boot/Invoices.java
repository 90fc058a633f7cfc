package dev.postrider.spring.boot;

import dev.postrider.Outbox;
import dev.postrider.OutboxMessage;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** A repository of the application over a table of its own. */
@Transactional
class Invoices {

    private final JdbcTemplate jdbc;
    private final Outbox outbox;

    Invoices(DataSource dataSource, Outbox outbox) {
        this.jdbc = new JdbcTemplate(dataSource);
        this.outbox = outbox;
        jdbc.execute("create table if not exists invoice (number varchar(50) primary key)");
    }

    void insert(String number) {
        jdbc.update("insert into invoice (number) values (?)", number);
    }

    void insertAndTell(String number) {
        insert(number);
        outbox.enqueue(OutboxMessage.to("invoices", "made").payload(number).build());
    }

    void refuse(String number) {
        throw new IllegalStateException("refused " + number);
    }

    List<String> numbers() {
        return jdbc.queryForList("select number from invoice order by number", String.class);
    }
}
