/** Auto-configuration of the relay and of its publishers. */
@NullMarked
package dev.postrider.spring.boot.relay;

import org.jspecify.annotations.NullMarked;
