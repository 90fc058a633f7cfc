package dev.postrider.jdbc;

import dev.postrider.database.Transactions;
import dev.postrider.spi.Acquired;
import java.util.Set;

/**
 * Takes shards without a live owner. The rows of dead relays are deleted in the same transaction. A settlement that
 * waited for the take-over finds no relay row and changes nothing, and a relay that comes back to life joins anew.
 */
interface ShardTakeover {

    Acquired acquire(Transactions transactions, String relay, Set<Integer> shards);
}
