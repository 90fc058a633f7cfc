/** Auto-configuration of the inbox and of methods with {@code @InboxListener}. */
@NullMarked
package dev.postrider.spring.boot.inbox;

import org.jspecify.annotations.NullMarked;
