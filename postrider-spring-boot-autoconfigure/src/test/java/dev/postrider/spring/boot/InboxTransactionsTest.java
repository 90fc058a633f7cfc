package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxMessage;
import dev.postrider.all.Postrider;
import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.InboxEntry;
import dev.postrider.inbox.InboxException;
import dev.postrider.inbox.InboxResult;
import dev.postrider.inbox.ParkReason;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.services.Database.Kind;
import dev.postrider.spring.NoTransactionException;
import dev.postrider.spring.SpringInbox;
import dev.postrider.spring.boot.internal.AfterCommit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A handler of the inbox runs in a transaction of Spring, which repositories join. */
final class InboxTransactionsTest {

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void markAndRepositoryAndMessagesCommitTogetherOnce(Kind kind) {
        run(kind, context -> {
            Invoices invoices = context.getBean(Invoices.class);

            List<InboxResult<Void>> results = IntStream.range(0, 2)
                    .mapToObj(delivery -> inbox(context).<Void>process(message("id-1"), "billing", transaction -> {
                        invoices.insertAndTell("42");
                        transaction.enqueue(OutboxMessage.to("invoices", "told").build());
                        return null;
                    }))
                    .toList();

            assertThat(results.get(0)).isInstanceOf(InboxResult.Processed.class);
            assertThat(results.get(1)).isInstanceOf(InboxResult.Duplicate.class);
            assertThat(invoices.numbers()).containsExactly("42");
            assertThat(pending(context)).isEqualTo(2);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void handlerThatThrowsLeavesNothingAndIsParkedInTheEnd(Kind kind) {
        run(kind, context -> {
            Invoices invoices = context.getBean(Invoices.class);

            assertThatThrownBy(() -> process(context, () -> {
                        invoices.insertAndTell("42");
                        throw new IllegalStateException("broken");
                    }))
                    .isInstanceOf(InboxException.class)
                    .hasRootCauseMessage("broken");
            InboxResult<Void> second = process(context, () -> {
                invoices.insertAndTell("42");
                throw new IllegalStateException("broken");
            });

            assertThat(second).isEqualTo(new InboxResult.Parked<>(ParkReason.FAILED));
            assertThat(invoices.numbers()).isEmpty();
            assertThat(pending(context)).isZero();
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void rollbackThatAHandlerOverlooksCountsAsItsFailure(Kind kind) {
        run(kind, context -> {
            Invoices invoices = context.getBean(Invoices.class);

            assertThatThrownBy(() -> process(context, () -> {
                        invoices.insert("42");
                        assertThatThrownBy(() -> invoices.refuse("42")).hasMessage("refused 42");
                    }))
                    .isInstanceOfSatisfying(
                            InboxException.class,
                            e -> assertThat(e.reason()).isEqualTo(InboxException.Reason.HANDLER_FAILED))
                    .rootCause()
                    .hasMessageContaining("let its exception pass");

            assertThat(invoices.numbers()).isEmpty();
            assertThat(context.getBean(Postrider.class).inboxAdmin().lookup("billing", "id-1"))
                    .map(InboxEntry::state)
                    .contains(InboxEntry.State.FAILING);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void connectionGoesBackToThePoolAsItCame(Kind kind) {
        Contexts.on(kind)
                .withBean(Invoices.class)
                .withPropertyValues(
                        "postrider.schema.mode=create-or-migrate",
                        "postrider.relay.enabled=false",
                        "postrider.retention.enabled=false",
                        "postrider.inbox.purge=false",
                        "postrider.inbox.lock-wait=3s",
                        "spring.datasource.hikari.maximum-pool-size=1")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    List<String> before = settings(context, kind);

                    process(context, () -> context.getBean(Invoices.class).insert("42"));
                    assertThatThrownBy(() -> process(context, "id-2", () -> {
                                throw new IllegalStateException("broken");
                            }))
                            .hasRootCauseMessage("broken");

                    assertThat(settings(context, kind)).isEqualTo(before);
                });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void messageInTheOpenTransactionIsHandledIfThatCommits(Kind kind) {
        run(kind, context -> {
            Invoices invoices = context.getBean(Invoices.class);
            SpringInbox joining = context.getBean(SpringInbox.class);
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

            transaction.executeWithoutResult(status -> {
                joining.processInTransaction("id-1", "billing", work -> {
                    invoices.insert("lost");
                    return null;
                });
                status.setRollbackOnly();
            });
            List<InboxResult<Void>> results = IntStream.range(0, 2)
                    .mapToObj(delivery -> transaction.execute(
                            status -> joining.<Void>processInTransaction("id-1", "billing", work -> {
                                invoices.insert("kept");
                                return null;
                            })))
                    .toList();

            assertThat(results.get(0)).isInstanceOf(InboxResult.Processed.class);
            assertThat(results.get(1)).isInstanceOf(InboxResult.Duplicate.class);
            assertThat(invoices.numbers()).containsExactly("kept");
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void messageOfAHandlerWakesTheRelayAfterTheCommitOnly(Kind kind) {
        run(kind, context -> {
            List<String> woken = new CopyOnWriteArrayList<>();
            context.getBean(AfterCommit.class).add(() -> woken.add("woken"));

            inbox(context).process(message("id-1"), "billing", transaction -> {
                transaction.enqueue(OutboxMessage.to("invoices", "told").build());
                assertThat(woken).isEmpty();
                return null;
            });
            process(context, "id-2", () -> {});

            assertThat(woken).hasSize(1);
        });
    }

    @Test
    void openTransactionIsSuspendedWhileTheInboxUsesItsOwn() {
        run(Kind.H2, context -> {
            Invoices invoices = context.getBean(Invoices.class);

            new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
                process(context, () -> invoices.insert("42"));
                status.setRollbackOnly();
            });

            assertThat(invoices.numbers()).containsExactly("42");
        });
    }

    @Test
    void processInTransactionWithoutATransactionIsRefused() {
        run(
                Kind.H2,
                context -> assertThatThrownBy(() -> context.getBean(SpringInbox.class)
                                .processInTransaction("id-1", "billing", work -> null))
                        .isInstanceOf(NoTransactionException.class));
    }

    @Test
    void transactionManagerOfAnotherDataSourceIsRefused() {
        Contexts.embedded()
                .withBean(PlatformTransactionManager.class, () -> {
                    JdbcDataSource other = new JdbcDataSource();
                    other.setURL("jdbc:h2:mem:other");
                    return new JdbcTransactionManager(other);
                })
                .withPropertyValues("postrider.relay.enabled=false")
                .run(context -> {
                    assertThat(context).hasNotFailed();

                    assertThatThrownBy(() -> process(context, () -> {}))
                            .isInstanceOf(InboxException.class)
                            .rootCause()
                            .hasMessageContaining("SpringHandlerTransactions");
                });
    }

    private static void run(Kind kind, Consumer<ApplicationContext> test) {
        Contexts.on(kind)
                .withBean(Invoices.class)
                .withPropertyValues(
                        "postrider.schema.mode=create-or-migrate",
                        "postrider.relay.enabled=false",
                        "postrider.inbox.park-after=2")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    test.accept(context);
                });
    }

    private static Inbox inbox(ApplicationContext context) {
        return context.getBean(Inbox.class);
    }

    private static InboxResult<Void> process(ApplicationContext context, Runnable work) {
        return process(context, "id-1", work);
    }

    private static InboxResult<Void> process(ApplicationContext context, String id, Runnable work) {
        return inbox(context).process(message(id), "billing", transaction -> {
            work.run();
            return null;
        });
    }

    private static ReceivedMessage message(String id) {
        return ReceivedMessage.from("orders").id(id).build();
    }

    private static long pending(ApplicationContext context) {
        return context.getBean(Postrider.class).admin().stats().pending();
    }

    private static List<String> settings(ApplicationContext context, Kind kind) {
        String query = switch (kind) {
            case MARIADB, MYSQL -> "select concat(@@session.innodb_lock_wait_timeout, ' ', @@session.autocommit)";
            case H2 -> "call lock_timeout()";
            default -> "show lock_timeout";
        };
        return new JdbcTemplate(context.getBean(DataSource.class)).queryForList(query, String.class);
    }
}
