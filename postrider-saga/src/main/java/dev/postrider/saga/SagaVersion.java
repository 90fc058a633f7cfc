package dev.postrider.saga;

/** A definition in one version. */
record SagaVersion(String name, int version) {

    @Override
    public String toString() {
        return name + " v" + version;
    }
}
