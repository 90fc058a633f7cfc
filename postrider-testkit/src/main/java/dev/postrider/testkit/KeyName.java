package dev.postrider.testkit;

import dev.postrider.spi.TopicName;

/** A key inside its topic: equal ones are delivered in order. */
record KeyName(TopicName topic, String key) {}
