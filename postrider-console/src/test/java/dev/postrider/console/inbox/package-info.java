@NullMarked
package dev.postrider.console.inbox;

import org.jspecify.annotations.NullMarked;
