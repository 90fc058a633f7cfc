@NullMarked
package dev.postrider.jackson;

import org.jspecify.annotations.NullMarked;
