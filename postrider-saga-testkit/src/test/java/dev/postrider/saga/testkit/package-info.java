@NullMarked
package dev.postrider.saga.testkit;

import org.jspecify.annotations.NullMarked;
