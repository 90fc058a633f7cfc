/**
 * Publishes messages to HTTP endpoints, and sends alerts to webhooks. Everything that knows Apache HttpClient lives
 * here and nowhere else. Only the publisher, its builder and the alert sender are public.
 */
@NullMarked
package dev.postrider.http;

import org.jspecify.annotations.NullMarked;
