@NullMarked
package dev.postrider.inbox.consumer;

import org.jspecify.annotations.NullMarked;
