@NullMarked
package dev.postrider.spring.boot.observe;

import org.jspecify.annotations.NullMarked;
