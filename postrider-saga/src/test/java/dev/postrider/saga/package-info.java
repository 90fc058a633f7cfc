@NullMarked
package dev.postrider.saga;

import org.jspecify.annotations.NullMarked;
