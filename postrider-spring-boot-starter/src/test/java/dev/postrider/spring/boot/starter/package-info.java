@NullMarked
package dev.postrider.spring.boot.starter;

import org.jspecify.annotations.NullMarked;
