package dev.postrider.e2e;

import java.util.List;
import javax.sql.DataSource;

/** A process that receives messages for two consumers until it is killed; started by {@link InboxKillIT}. */
final class InboxVictim {

    private InboxVictim() {}

    public static void main(String[] arguments) {
        DataSource dataSource = Victim.dataSource(arguments);
        List<String> more = Victim.more(arguments);
        InboxShift.Way way = InboxShift.Way.valueOf(more.get(0));
        Victim.kill(arguments);
        for (String consumer : more.subList(1, more.size())) {
            new InboxShift(dataSource, consumer, id -> System.out.println(InboxKillIT.ack(consumer, id))).receive(way);
        }
        System.out.println("nothing left to do");
    }
}
