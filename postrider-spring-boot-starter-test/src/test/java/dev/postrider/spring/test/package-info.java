@NullMarked
package dev.postrider.spring.test;

import org.jspecify.annotations.NullMarked;
