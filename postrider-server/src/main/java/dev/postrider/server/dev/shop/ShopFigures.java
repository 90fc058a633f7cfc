package dev.postrider.server.dev.shop;

/**
 * What the demo shop has done since it was started.
 *
 * @param placed orders that were committed
 * @param rolledBack orders whose transaction was rolled back after their messages were enqueued
 * @param enqueued messages whose transaction was committed, without those of sagas
 * @param handled messages whose effect on the receiving side was committed
 * @param outOfOrder messages that were handled after a later one of the same topic and key
 * @param sagas sagas that were started
 */
public record ShopFigures(long placed, long rolledBack, long enqueued, long handled, long outOfOrder, long sagas) {}
