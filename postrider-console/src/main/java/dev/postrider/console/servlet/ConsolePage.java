package dev.postrider.console.servlet;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A file of the pages: its bytes, its media type and the tag that a browser asks with. */
final class ConsolePage {

    private static final int TAG_BYTES = 12;

    private final byte[] bytes;
    private final String contentType;
    private final String tag;

    private ConsolePage(byte[] bytes, String contentType, String tag) {
        this.bytes = bytes;
        this.contentType = contentType;
        this.tag = tag;
    }

    static ConsolePage of(byte[] bytes, String contentType) {
        return new ConsolePage(bytes, contentType, tag(bytes));
    }

    static ConsolePage of(String text, String contentType) {
        return of(text.getBytes(StandardCharsets.UTF_8), contentType);
    }

    private static String tag(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return '"' + HexFormat.of().formatHex(digest, 0, TAG_BYTES) + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    /** Returns the bytes, which nobody changes. */
    byte[] bytes() {
        return bytes;
    }

    String contentType() {
        return contentType;
    }

    String tag() {
        return tag;
    }

    String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
