@NullMarked
package dev.postrider.console;

import org.jspecify.annotations.NullMarked;
