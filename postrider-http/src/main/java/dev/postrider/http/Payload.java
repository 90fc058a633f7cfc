package dev.postrider.http;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.HttpEntityWrapper;

/** The body of a request, written in pieces so that the connection can look in between for an early answer. */
final class Payload extends HttpEntityWrapper {

    static final int PIECE = 64 * 1024;

    private final byte[] bytes;

    Payload(byte[] bytes) {
        super(new ByteArrayEntity(bytes, null));
        this.bytes = bytes;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        for (int from = 0; from < bytes.length; from += PIECE) {
            out.write(bytes, from, Math.min(PIECE, bytes.length - from));
        }
        out.flush();
    }
}
