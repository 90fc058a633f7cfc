package dev.postrider.benchmarks.contenders;

import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Contender;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;

/** Everybody who can take part, and what may be compared with what. */
// Constructor references have no state, and Set.of cannot be changed.
@SuppressWarnings("ImmutableEnumChecker")
public enum Entrant {
    POSTRIDER(Postrider::new, Trait.ROW_STATE, Trait.ORDER, Trait.SAME_TRANSACTION, Trait.MARIADB, Trait.RABBITMQ),
    POSTRIDER_ENQUEUE(Postrider::committedByTheCaller, Trait.SAME_TRANSACTION, Trait.ENQUEUE_ONLY),
    // Runs right after Postrider: it comes nearest, and the machine may be half as fast a minute later.
    DEBEZIUM(Debezium::new, Trait.LOGICAL_LOG, Trait.SAME_TRANSACTION),
    RAW(Raw::new, Trait.LIMIT, Trait.SAME_TRANSACTION, Trait.MARIADB),
    DB_SCHEDULER(DbScheduler::new, Trait.ROW_STATE, Trait.SAME_TRANSACTION, Trait.MARIADB, Trait.RABBITMQ),
    GRUELBOX(Gruelbox::new, Trait.ROW_STATE, Trait.SAME_TRANSACTION, Trait.RABBITMQ),
    JOBRUNR(JobRunr::new, Trait.ROW_STATE, Trait.POLLING, Trait.MARIADB, Trait.SLOW),
    MODULITH(Modulith::new, Trait.SAME_TRANSACTION, Trait.MARIADB, Trait.SLOW),
    NAMASTACK(
            Namastack::new,
            Trait.ROW_STATE,
            Trait.ORDER,
            Trait.SAME_TRANSACTION,
            Trait.POLLING,
            Trait.MARIADB,
            Trait.RABBITMQ);

    /** What a contender can do. */
    public enum Trait {
        /** Keeps the state of each message in a row and tries it again. */
        ROW_STATE,
        /** Can keep the messages of a key in order. */
        ORDER,
        /** Writes the message in the caller's transaction. */
        SAME_TRANSACTION,
        /** Finds new messages only by asking the database again and again. */
        POLLING,
        /** Runs on MariaDB. */
        MARIADB,
        /** Can deliver to RabbitMQ. */
        RABBITMQ,
        /** Needs a PostgreSQL whose log can be decoded. */
        LOGICAL_LOG,
        /** Drains so slowly that no ratio depends on it: it is given fewer messages. */
        SLOW,
        /** Not a product but the limit of what is possible. */
        LIMIT,
        /** Only another way to enqueue. */
        ENQUEUE_ONLY
    }

    private final Factory factory;
    private final Set<Trait> traits;

    Entrant(Factory factory, Trait... traits) {
        this.factory = factory;
        this.traits = Set.of(traits);
    }

    /** Returns the entrant with this {@link #title}. */
    public static Entrant of(String title) {
        return Arrays.stream(values())
                .filter(entrant -> entrant.title().equals(title))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no contender '%s', there are %s".formatted(title, Arrays.toString(values()))));
    }

    /** The name in tables and on the command line. */
    public String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether it has all of these traits. */
    public boolean is(Trait... wanted) {
        return traits.containsAll(Set.of(wanted));
    }

    /** Whether it is somebody else's product. */
    public boolean peer() {
        return this != POSTRIDER && !is(Trait.LIMIT) && !is(Trait.ENQUEUE_ONLY);
    }

    /** Makes the contender of this process. */
    public Contender enter(Arena arena) throws Exception {
        return factory.make(arena);
    }

    @Override
    public String toString() {
        return title();
    }

    private interface Factory {

        Contender make(Arena arena) throws Exception;
    }
}
