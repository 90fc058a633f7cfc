@NullMarked
package dev.postrider.hibernate;

import org.jspecify.annotations.NullMarked;
