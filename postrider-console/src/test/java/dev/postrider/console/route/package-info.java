@NullMarked
package dev.postrider.console.route;

import org.jspecify.annotations.NullMarked;
