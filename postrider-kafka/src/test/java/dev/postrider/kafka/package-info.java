@NullMarked
package dev.postrider.kafka;

import org.jspecify.annotations.NullMarked;
