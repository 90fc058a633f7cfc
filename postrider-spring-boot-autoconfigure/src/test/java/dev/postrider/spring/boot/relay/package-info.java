@NullMarked
package dev.postrider.spring.boot.relay;

import org.jspecify.annotations.NullMarked;
