package dev.postrider.console.live;

/**
 * What the relays of this process did with a topic.
 *
 * @param out how many messages were delivered
 * @param failed how many attempts failed
 */
record TopicFigures(long out, long failed) {

    static final TopicFigures NONE = new TopicFigures(0, 0);

    TopicFigures plus(TopicFigures other) {
        return new TopicFigures(out + other.out, failed + other.failed);
    }

    TopicFigures minus(TopicFigures other) {
        return new TopicFigures(out - other.out, failed - other.failed);
    }
}
