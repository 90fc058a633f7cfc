@NullMarked
package dev.postrider.console.live;

import org.jspecify.annotations.NullMarked;
