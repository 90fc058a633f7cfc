@NullMarked
package dev.postrider.testpool;

import org.jspecify.annotations.NullMarked;
