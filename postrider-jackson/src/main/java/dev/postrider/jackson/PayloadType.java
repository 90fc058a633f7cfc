package dev.postrider.jackson;

/** A class and the logical name and version under which its objects travel. */
record PayloadType(String name, int version, Class<?> type) {

    @Override
    public String toString() {
        return "'%s' v%d".formatted(name, version);
    }
}
