@NullMarked
package dev.postrider.console.message;

import org.jspecify.annotations.NullMarked;
