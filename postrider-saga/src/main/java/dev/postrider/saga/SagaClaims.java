package dev.postrider.saga;

import dev.postrider.database.Micros;
import dev.postrider.database.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Who runs which saga, and until when. */
final class SagaClaims {

    private static final String DUE = """
            select i.saga_id, i.definition, i.def_version, i.epoch, i.claim_count
              from {instance} i {by_due}
             where i.wake_at <= {stable_now}
               and i.status in ('RUNNING', 'WAITING', 'COMPENSATING')
               and (i.claimed_until is null or i.claimed_until < {stable_now})
               and ({definitions})
             order by i.wake_at
             limit ?
               for update skip locked
            """;

    private static final String DEFINITION = "(i.definition = ? and i.def_version = ?)";

    // Whoever had the saga before has an older epoch from now on, and writes nothing any more.
    private static final String CLAIM = """
            update {instance}
               set claimed_by = ?, claimed_until = {later}, epoch = epoch + 1, claim_count = claim_count + 1
             where saga_id in (?)
            """;

    private static final String CLAIM_OF = "(saga_id = ? and epoch = ?)";

    // Skips the row that a step holds locked, which nobody can claim; the next step renews that claim.
    private static final String UNLOCKED = """
            select saga_id
              from {instance}
             where claimed_until is not null
               and ({claims})
               for update skip locked
            """;

    private static final String RENEW = """
            update {instance}
               set claimed_until = {later}
             where saga_id in ({unlocked})
            """.replace("{unlocked}", UNLOCKED);

    // MariaDB and MySQL update no table that their condition reads. The limit keeps the inner query apart, so that the
    // update looks at no row that is locked.
    private static final String RENEW_JOINED =
            """
            update ({unlocked}) u
              straight_join {instance} i on i.saga_id = u.saga_id
               set i.claimed_until = {later}
            """.replace("{unlocked}", UNLOCKED.replace("for update", "limit 1000 for update"));

    private static final String RENEW_THESE = """
            update {instance}
               set claimed_until = {later}
             where saga_id in (?)
            """;

    private static final String CLAIMED = """
            select i.saga_id, i.epoch
              from {instance} i
             where i.claimed_until is not null
               and i.saga_id in (?)
            """;

    // What was given back without a try was no claim that came to nothing.
    private static final String RELEASE = """
            update {instance}
               set claimed_by = null, claimed_until = null,
                   claim_count = case when claim_count > 0 then claim_count - 1 else 0 end
             where claimed_until is not null
               and saga_id = ?
               and epoch = ?
            """;

    private final Session session;

    SagaClaims(Session session) {
        this.session = session;
    }

    List<ClaimedSaga> due(Collection<SagaVersion> definitions, int limit, Duration claimFor, String by)
            throws SQLException {
        List<Object> values = new ArrayList<>();
        for (SagaVersion definition : definitions) {
            values.add(definition.name());
            values.add(definition.version());
        }
        values.add(limit);
        return claim(due(definitions.size()), values, claimFor, by);
    }

    /** Returns the statement that finds what is due of so many definitions. */
    static String due(int definitions) {
        return DUE.replace("{definitions}", String.join(" or ", Collections.nCopies(definitions, DEFINITION)));
    }

    /**
     * Renews the claims whose rows nobody has locked; returns the claims that are lost. Each statement commits on its
     * own, so that a process that is frozen here keeps no row from the others.
     */
    List<ClaimedSaga> renew(List<ClaimedSaga> claims, Duration claimFor) throws SQLException {
        List<Object> pairs = new ArrayList<>();
        for (ClaimedSaga each : claims) {
            pairs.add(each.id().toString());
            pairs.add(each.epoch());
        }
        Object later = Micros.of(claimFor);
        String condition = String.join(" or ", Collections.nCopies(claims.size(), CLAIM_OF));
        switch (session.dialect()) {
            case POSTGRESQL -> {
                pairs.add(0, later);
                session.update(RENEW.replace("{claims}", condition), pairs.toArray());
            }
            case MARIADB, MYSQL -> {
                pairs.add(later);
                session.update(RENEW_JOINED.replace("{claims}", condition), pairs.toArray());
            }
            case H2 ->
                session.updateAll(
                        RENEW_THESE, List.of(later), unlocked(UNLOCKED.replace("{claims}", condition), pairs));
        }
        Map<String, Long> claimed = epochs(CLAIMED, ids(claims));
        return claims.stream().filter(each -> !isHeld(each, claimed)).toList();
    }

    // H2 locks nothing inside an update. Its database is frozen together with the process.
    private List<String> unlocked(String sql, List<Object> claims) throws SQLException {
        return session.list(sql, row -> row.getString("saga_id"), claims.toArray());
    }

    private static boolean isHeld(ClaimedSaga claim, Map<String, Long> epochs) {
        Long epoch = epochs.get(claim.id().toString());
        return epoch != null && epoch == claim.epoch();
    }

    private Map<String, Long> epochs(String sql, List<String> ids) throws SQLException {
        Map<String, Long> epochs = new HashMap<>();
        try (PreparedStatement statement = session.prepareList(sql, List.of(), ids);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                epochs.put(row.getString("saga_id"), row.getLong("epoch"));
            }
        }
        return epochs;
    }

    private static List<String> ids(List<ClaimedSaga> claims) {
        return claims.stream().map(each -> each.id().toString()).toList();
    }

    boolean release(UUID id, long epoch) throws SQLException {
        return session.update(RELEASE, id.toString(), epoch) == 1;
    }

    private List<ClaimedSaga> claim(String select, List<?> values, Duration claimFor, String by) throws SQLException {
        List<ClaimedSaga> claimed = session.list(select, row -> read(row), values.toArray());
        session.updateAll(CLAIM, List.of(by, Micros.of(claimFor)), ids(claimed));
        return claimed;
    }

    private static ClaimedSaga read(ResultSet row) throws SQLException {
        return new ClaimedSaga(
                UUID.fromString(row.getString("saga_id")),
                new SagaVersion(row.getString("definition"), row.getInt("def_version")),
                row.getLong("epoch") + 1,
                row.getInt("claim_count") + 1);
    }
}
