package dev.postrider;

import java.util.Optional;

/** How a tenant and a dedupe key of one message must fit together. */
public enum TenantPolicy {
    /** A dedupe key must begin with the tenant and a slash, so that one tenant never swallows another's message. */
    DEDUPE_KEY_BEGINS_WITH_TENANT {
        @Override
        public void check(OutboxMessage message) {
            Optional<String> tenant = message.tenant();
            Optional<String> dedupeKey = message.dedupeKey();
            if (tenant.isPresent() && dedupeKey.isPresent() && !dedupeKey.get().startsWith(tenant.get() + "/")) {
                throw new IllegalArgumentException(
                        "dedupeKey '%s' must begin with the tenant: '%s/'".formatted(dedupeKey.get(), tenant.get()));
            }
        }
    },
    /** Any dedupe key goes with any tenant. */
    ANY {
        @Override
        public void check(OutboxMessage message) {}
    };

    /**
     * Refuses a message that breaks the policy.
     *
     * @throws IllegalArgumentException naming both values
     */
    public abstract void check(OutboxMessage message);
}
