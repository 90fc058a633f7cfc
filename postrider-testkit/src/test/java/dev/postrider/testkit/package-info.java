@NullMarked
package dev.postrider.testkit;

import org.jspecify.annotations.NullMarked;
