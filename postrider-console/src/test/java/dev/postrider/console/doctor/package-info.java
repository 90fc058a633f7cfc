@NullMarked
package dev.postrider.console.doctor;

import org.jspecify.annotations.NullMarked;
