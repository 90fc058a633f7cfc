package dev.postrider.console;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/**
 * A body that is written while it is read from the database: an export or a raw payload. A transport sends it with
 * {@code Content-Disposition: attachment}.
 *
 * @param fileName the name that a browser suggests
 * @param content writes the body; to be called once
 */
public record Attachment(String fileName, AttachmentBody content) {

    /** Writes a body. */
    @FunctionalInterface
    public interface AttachmentBody {

        /** Writes everything; does not close the stream. */
        void writeTo(OutputStream out) throws IOException;
    }

    /** Refuses a name that would need escaping in a header. */
    public Attachment {
        if (!fileName.matches("[A-Za-z0-9._-]{1,120}")) {
            throw new IllegalArgumentException("'%s' is no file name".formatted(fileName));
        }
        Objects.requireNonNull(content, "content");
    }
}
