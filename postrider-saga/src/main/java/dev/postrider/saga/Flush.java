package dev.postrider.saga;

import java.sql.SQLException;

/** Sends what a framework holds back at the end of a step, such as changed entities. */
@FunctionalInterface
interface Flush {

    /** Sends nothing: the transaction is the caller's. */
    Flush NONE = () -> {};

    void run() throws SQLException;
}
