package dev.postrider.saga.testkit;

/** What is wrong with the reply to a command. */
enum ReplyFault {
    /** It says no. */
    REFUSED("is refused"),
    /** It comes twice. */
    TWICE("is answered twice"),
    /** A reply to a command nobody sent comes first. */
    FOREIGN("is answered after a foreign reply"),
    /** It comes when its time is over. */
    LATE("is answered late"),
    /** It never comes. */
    NEVER("is never answered");

    private final String words;

    ReplyFault(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }
}
