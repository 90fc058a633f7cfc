@NullMarked
package dev.postrider.console.relay;

import org.jspecify.annotations.NullMarked;
