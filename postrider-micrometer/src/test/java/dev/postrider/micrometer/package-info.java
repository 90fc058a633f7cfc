@NullMarked
package dev.postrider.micrometer;

import org.jspecify.annotations.NullMarked;
