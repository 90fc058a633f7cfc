@NullMarked
package dev.postrider.server.dev;

import org.jspecify.annotations.NullMarked;
