package dev.postrider.jackson;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import tools.jackson.core.exc.StreamConstraintsException;

/** Collects bytes up to a limit, so that a value without an end is found before the memory is used up. */
final class BoundedOutput extends OutputStream {

    private static final int FIRST_SIZE = 512;

    private final ByteArrayOutputStream written = new ByteArrayOutputStream(FIRST_SIZE);
    private final int limit;

    BoundedOutput(int limit) {
        this.limit = limit;
    }

    @Override
    public void write(int value) {
        refuseAbove(1);
        written.write(value);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        refuseAbove(length);
        written.write(bytes, offset, length);
    }

    private void refuseAbove(int more) {
        if (written.size() + more > limit) {
            throw new StreamConstraintsException("It has more than the %d bytes that are allowed".formatted(limit));
        }
    }

    byte[] bytes() {
        return written.toByteArray();
    }
}
