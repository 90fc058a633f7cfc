@NullMarked
package dev.postrider.console.saga;

import org.jspecify.annotations.NullMarked;
