package dev.postrider.server.dev;

import org.jspecify.annotations.Nullable;

/**
 * What {@code dev} was asked for.
 *
 * @param url JDBC URL of a database; null for an embedded one
 * @param user its user
 * @param password its password
 * @param broker URL of a broker; null for the one in the process
 * @param demo whether the demo shop runs
 * @param perSecond how many messages per second the shop's customers cause
 */
record DevSettings(
        @Nullable String url,
        @Nullable String user,
        @Nullable String password,
        @Nullable String broker,
        boolean demo,
        int perSecond) {

    /** The messages per second unless the command says otherwise. */
    static final int PER_SECOND = 20;

    /** Everything embedded, with the demo shop. */
    static DevSettings embedded(int perSecond) {
        return new DevSettings(null, null, null, null, true, perSecond);
    }

    /** Names the settings without the password. */
    @Override
    public String toString() {
        return "DevSettings[demo=%s, perSecond=%d]".formatted(demo, perSecond);
    }
}
