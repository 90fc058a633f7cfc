package dev.postrider.saga;

/** A saga, locked, and its step that waits for a reply. */
record AwaitedReply(SagaRow saga, JournalEntry step) {}
