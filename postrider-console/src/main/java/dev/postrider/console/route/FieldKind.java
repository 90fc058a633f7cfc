package dev.postrider.console.route;

/** What a parameter or a field of a body holds. */
public enum FieldKind {
    /** A text; the bounds count characters. */
    TEXT,
    /** A whole number; the bounds are values. */
    INTEGER,
    /** true or false. */
    BOOLEAN,
    /** A list of texts; the bounds count them. */
    TEXTS,
    /** Texts by name, such as headers; the bounds count them. */
    TEXT_MAP,
    /** A payload: {@code {"text":"…"}} or {@code {"base64":"…"}}. */
    PAYLOAD
}
