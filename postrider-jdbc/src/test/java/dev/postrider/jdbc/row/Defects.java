package dev.postrider.jdbc.row;

/** What is said of a row that does not fit, for tests of other packages. */
public final class Defects {

    public static final String HASH = SealCheck.HASH;
    public static final String UNSIGNED = SealCheck.UNSIGNED;

    private Defects() {}
}
