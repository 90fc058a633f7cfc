@NullMarked
package dev.postrider.server.dev.broker;

import org.jspecify.annotations.NullMarked;
