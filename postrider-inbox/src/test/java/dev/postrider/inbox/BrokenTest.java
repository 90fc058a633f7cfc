package dev.postrider.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxException;
import dev.postrider.inbox.Broken.Phase;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a broken transaction says about the message and about the moment. */
final class BrokenTest {

    @ParameterizedTest
    @EnumSource
    void lockTimeoutIsAConflictOfTheHandlerAndABusyMessageInTheClaim(Phase phase) {
        Broken broken = new Broken(phase, new SQLException("lock timeout", "55P03"));

        assertThat(broken.conflict()).isEqualTo(phase == Phase.HANDLER);
        assertThat(broken.busy()).isEqualTo(phase == Phase.CLAIM);
    }

    @ParameterizedTest
    @EnumSource
    void deadlockIsAConflictWhereverItHappens(Phase phase) {
        Broken broken = new Broken(phase, new SQLException("deadlock", "40P01"));

        assertThat(broken.conflict()).isTrue();
        assertThat(broken.busy()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"08006", "57P01"})
    void lostConnectionIsFoundBehindOtherErrors(String state) {
        Exception error = new OutboxException("no", new IllegalStateException(new SQLException("gone", state)));

        assertThat(new Broken(Phase.HANDLER, error).connectionLost()).isTrue();
        assertThat(new Broken(Phase.HANDLER, new SQLException("other", "23505")).connectionLost())
                .isFalse();
        assertThat(new Broken(Phase.HANDLER, new IllegalStateException("bad")).connectionLost())
                .isFalse();
    }

    @Test
    void onlyAnErrorAboutAValueIsARefusedValue() {
        assertThat(Broken.refusedValue(new OutboxException("no", new SQLException("encoding", "22021"))))
                .isTrue();
        assertThat(Broken.refusedValue(new OutboxException("no", new SQLException("gone", "08006"))))
                .isFalse();
        assertThat(Broken.refusedValue(new OutboxException("no", new IllegalStateException("bad"))))
                .isFalse();
    }

    @Test
    void fiftyErrorsOfAChainAreLookedAt() {
        SQLException lost = new SQLException("gone", "08006");

        assertThat(new Broken(Phase.COMMIT, behind(49, lost)).connectionLost()).isTrue();
        assertThat(new Broken(Phase.COMMIT, behind(50, lost)).connectionLost()).isFalse();
    }

    @Test
    void causesThatGoInACircleEnd() {
        Exception one = new IllegalStateException("one");
        Exception two = new IllegalStateException("two", one);
        one.initCause(two);

        assertThat(new Broken(Phase.HANDLER, one).connectionLost()).isFalse();
    }

    private static Throwable behind(int others, Throwable last) {
        Throwable error = last;
        for (int i = 0; i < others; i++) {
            error = new IllegalStateException(error);
        }
        return error;
    }
}
