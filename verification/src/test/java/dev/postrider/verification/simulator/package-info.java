@NullMarked
package dev.postrider.verification.simulator;

import org.jspecify.annotations.NullMarked;
