@NullMarked
package dev.postrider.console.system;

import org.jspecify.annotations.NullMarked;
