package dev.postrider.jdbc.row;

/** A key inside its topic and namespace. Immutable. */
public record KeyName(String namespace, String topic, String key) {}
