/** Tests of the console inside an application. */
@NullMarked
package dev.postrider.spring.boot.console;

import org.jspecify.annotations.NullMarked;
