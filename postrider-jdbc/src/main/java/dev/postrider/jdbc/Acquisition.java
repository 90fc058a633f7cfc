package dev.postrider.jdbc;

import dev.postrider.database.Transactions;
import dev.postrider.spi.OwnedShard;
import java.util.List;
import java.util.Set;

/**
 * Takes shards without a live owner. The rows of dead relays are locked meanwhile: a relay that comes back to life
 * waits in its renewal until the take-over has committed, and then sees that its shards are gone.
 */
interface Acquisition {

    List<OwnedShard> acquire(Transactions transactions, String relay, Set<Integer> shards);
}
