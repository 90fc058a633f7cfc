package dev.postrider.spring.boot.relay;

import dev.postrider.spi.MessagePublisher;
import dev.postrider.spring.boot.PostriderProperties;

/** Makes publishers to one kind of broker from the application's own beans. */
interface Transport {

    /** The name users write in {@code postrider.topics.*.publisher}. */
    String name();

    /** Makes the publisher of topics with these settings. */
    MessagePublisher publisher(PostriderProperties.Topic settings);
}
