@NullMarked
package dev.postrider.console.openapi;

import org.jspecify.annotations.NullMarked;
