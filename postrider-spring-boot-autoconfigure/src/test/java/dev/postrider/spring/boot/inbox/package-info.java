@NullMarked
package dev.postrider.spring.boot.inbox;

import org.jspecify.annotations.NullMarked;
