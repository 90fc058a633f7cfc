@NullMarked
package dev.postrider.all;

import org.jspecify.annotations.NullMarked;
