package dev.postrider.jdbc.operator;

import dev.postrider.OutboxException;
import dev.postrider.admin.Decision;
import dev.postrider.admin.KnownRelay;
import dev.postrider.admin.PausedTopic;
import dev.postrider.admin.RelayAdmin;
import dev.postrider.admin.ShardOwner;
import dev.postrider.database.Session;
import dev.postrider.database.TableNames;
import dev.postrider.database.Transactions;
import dev.postrider.jdbc.OutboxDialect;
import dev.postrider.jdbc.row.ControlCode;
import dev.postrider.spi.RelayMode;
import dev.postrider.spi.TopicName;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What a person may see and want of the relays of the outbox tables. Thread-safe. */
public final class JdbcRelayAdmin implements RelayAdmin {

    private static final int TIMEOUT_SECONDS = 10;
    private static final int MAX_NAME = 200;

    // A relay of this version tells its state with every heartbeat.
    private static final String OLDER =
            "select r.id from {relay} r where r.until > {now} and r.state is null order by r.id limit 1";

    private static final String COUNT_TOPICS = "select count(*) from {control} c where c.kind = 2";
    private static final String WANT = """
            update {control}
               set mode = ?, actor = ?, reason = ?, changed_at = {now}
             where kind = ? and namespace = ? and name = ?
            """;
    private static final String ADD = """
            insert into {control} (mode, actor, reason, changed_at, kind, namespace, name)
            values (?, ?, ?, {now}, ?, ?, ?)
            """;
    private static final String REMOVE = "delete from {control} where kind = ? and namespace = ? and name = ?";
    private static final String REMOVE_RELAYS = "delete from {control} where kind = 1";

    private final Transactions transactions;

    private JdbcRelayAdmin(Transactions transactions) {
        this.transactions = transactions;
    }

    /** Returns the admin of relays of the tables with the default names. */
    public static JdbcRelayAdmin of(DataSource dataSource) {
        return of(dataSource, TableNames.defaults());
    }

    /** Returns the admin of relays of the tables with these names. */
    public static JdbcRelayAdmin of(DataSource dataSource, TableNames names) {
        Objects.requireNonNull(names, "names");
        return new JdbcRelayAdmin(
                OutboxDialect.transactions(Objects.requireNonNull(dataSource, "dataSource"), names, TIMEOUT_SECONDS));
    }

    @Override
    public List<KnownRelay> relays(int limit) {
        return transactions.autoCommitted("list relays", session -> new RelayList(session).relays(limit));
    }

    @Override
    public List<ShardOwner> shards() {
        return transactions.autoCommitted("list shards", session -> new RelayList(session).shards());
    }

    @Override
    public List<PausedTopic> pausedTopics() {
        return transactions.autoCommitted("list paused topics", RelayList::pausedTopics);
    }

    @Override
    public boolean setMode(String relay, RelayMode mode, Decision decision) {
        Objects.requireNonNull(relay, "relay");
        Objects.requireNonNull(decision, "decision");
        return transactions.transacted("change the mode of relay " + relay, session -> {
            RelayList list = new RelayList(session);
            Optional<KnownRelay> known = list.relay(relay).filter(KnownRelay::alive);
            if (known.isEmpty() || known.get().mode() == mode) {
                return false;
            }
            requireObedience(session, mode, known.get());
            if (mode == list.modeOfAll()) {
                session.update(REMOVE, ControlCode.RELAY, "", relay);
            } else {
                want(session, ControlCode.RELAY, "", relay, mode, decision);
            }
            AuditTrail.addForMany(session, action(mode), decision, "relay " + relay);
            return true;
        });
    }

    @Override
    public int setModeOfAll(RelayMode mode, Decision decision) {
        Objects.requireNonNull(decision, "decision");
        return transactions.transacted("change the mode of all relays", session -> {
            requireObedience(session, mode, null);
            RelayList list = new RelayList(session);
            int changed = list.othersThan(mode);
            boolean news = session.update(REMOVE_RELAYS) > 0 || list.modeOfAll() != mode;
            if (mode == RelayMode.RUN) {
                session.update(REMOVE, ControlCode.ALL_RELAYS, "", "");
            } else if (news) {
                want(session, ControlCode.ALL_RELAYS, "", "", mode, decision);
            }
            if (news) {
                AuditTrail.addForMany(session, action(mode), decision, "all relays");
            }
            return changed;
        });
    }

    @Override
    public boolean pauseTopic(TopicName topic, Decision decision) {
        check("namespace", topic.namespace());
        check("topic", topic.topic());
        Objects.requireNonNull(decision, "decision");
        return transactions.transacted("pause topic " + topic, session -> {
            if (RelayList.isPaused(session, topic)) {
                return false;
            }
            requireObedience(session, RelayMode.PAUSE, null);
            long paused = session.first(COUNT_TOPICS, row -> row.getLong(1)).orElse(0L);
            if (paused >= MOST_PAUSED_TOPICS) {
                throw new OutboxException(
                        "%d topics are paused, and more cannot be: resume one first".formatted(paused));
            }
            want(session, ControlCode.TOPIC, topic.namespace(), topic.topic(), RelayMode.PAUSE, decision);
            AuditTrail.addForMany(session, "PAUSE_TOPIC", decision, "topic " + topic);
            return true;
        });
    }

    @Override
    public boolean resumeTopic(TopicName topic, Decision decision) {
        Objects.requireNonNull(decision, "decision");
        return transactions.transacted("resume topic " + topic, session -> {
            if (session.update(REMOVE, ControlCode.TOPIC, topic.namespace(), topic.topic()) == 0) {
                return false;
            }
            AuditTrail.addForMany(session, "RESUME_TOPIC", decision, "topic " + topic);
            return true;
        });
    }

    private static String action(RelayMode mode) {
        return switch (mode) {
            case RUN -> "RESUME_RELAY";
            case PAUSE -> "PAUSE_RELAY";
            case DRAIN -> "DRAIN_RELAY";
        };
    }

    // Somebody else may decide the same at the same moment; the later word holds.
    private static void want(
            Session session, int kind, String namespace, String name, RelayMode mode, Decision decision)
            throws SQLException {
        Object[] values = {ControlCode.of(mode), decision.by(), decision.reason(), kind, namespace, name};
        if (session.update(WANT, values) == 0 && !session.insertOnce(ADD, values)) {
            session.update(WANT, values);
        }
    }

    // An older relay would not obey, and it would leave the share of a drained relay to that relay.
    private static void requireObedience(Session session, RelayMode mode, @Nullable KnownRelay only)
            throws SQLException {
        if (mode == RelayMode.RUN || (mode == RelayMode.PAUSE && only != null && only.report() != null)) {
            return;
        }
        Optional<String> older = session.first(OLDER, row -> row.getString(1));
        if (older.isPresent()) {
            throw new OutboxException(
                    "Relay %s is of an older version, which does not read what operators want: upgrade it first"
                            .formatted(older.get()));
        }
    }

    private static void check(String what, String value) {
        if (value.isBlank() || value.length() > MAX_NAME) {
            throw new IllegalArgumentException(
                    "%s must have 1 to %d characters but has %d".formatted(what, MAX_NAME, value.length()));
        }
    }
}
