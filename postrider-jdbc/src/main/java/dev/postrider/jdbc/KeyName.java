package dev.postrider.jdbc;

/** A key inside its topic and namespace. */
record KeyName(String namespace, String topic, String key) {}
