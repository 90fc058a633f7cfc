@NullMarked
package dev.postrider.spring.boot;

import org.jspecify.annotations.NullMarked;
