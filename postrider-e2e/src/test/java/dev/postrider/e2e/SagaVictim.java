package dev.postrider.e2e;

import dev.postrider.e2e.Errand.Fate;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that runs errands and answers their requests until it is killed; or, given the name of a file, only runs
 * them and halts until that file is there.
 */
final class SagaVictim {

    static final String NODE = "victim";

    private SagaVictim() {}

    public static void main(String[] arguments) {
        List<String> more = Victim.more(arguments);
        ErrandNode node = ErrandNode.lapsing(Victim.dataSource(arguments), more.get(0), NODE);
        if (more.size() > 2) {
            Victim.halt(arguments, Path.of(more.get(2)));
        } else {
            Victim.kill(arguments);
            node.answer();
        }
        node.ask(Fate.valueOf(more.get(1)));
        node.run();
        while (true) {
            LockSupport.park();
        }
    }
}
