package dev.postrider.jdbc;

import dev.postrider.HeaderSource;
import dev.postrider.MessageLimits;
import dev.postrider.OutboxMessage;
import dev.postrider.TenantPolicy;
import java.util.List;

/** What a message gets, and what it must keep to, before it is inserted. Thread-safe. */
record Admission(MessageLimits limits, TenantPolicy tenantPolicy, HeaderSource headers) {

    /**
     * Returns the messages as they are inserted; all are checked first.
     *
     * @throws IllegalArgumentException if one breaks a limit or the tenant policy
     */
    List<OutboxMessage> admitted(List<OutboxMessage> messages) {
        List<OutboxMessage> complete = headers == HeaderSource.NONE
                ? messages
                : messages.stream().map(headers::complete).toList();
        for (OutboxMessage message : complete) {
            limits.check(message);
            tenantPolicy.check(message);
        }
        return complete;
    }
}
