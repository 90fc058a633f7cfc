package dev.postrider.rabbitmq;

/**
 * What was found out about an exchange without changing anything.
 *
 * @param exchange its name
 * @param status whether messages can be published to it
 * @param advice what to know or to do about it, in words
 */
public record ExchangeReport(String exchange, Status status, String advice) {

    /** Whether messages can be published to an exchange. */
    public enum Status {
        /** The exchange exists and none of its arguments names an alternate exchange. */
        READY,
        /**
         * The exchange hands what it cannot route to its alternate exchange: a message that no queue of its own takes
         * is not returned and counts as delivered.
         */
        ALTERNATE_EXCHANGE,
        /** The exchange exists; whether it has an alternate exchange could not be found out. */
        UNCHECKED,
        /** The exchange does not exist or nobody may publish to it. */
        UNUSABLE
    }
}
