@NullMarked
package dev.postrider.console.filter;

import org.jspecify.annotations.NullMarked;
