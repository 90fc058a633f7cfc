/** Auto-configuration of metrics, health and the actuator endpoint. */
@NullMarked
package dev.postrider.spring.boot.observe;

import org.jspecify.annotations.NullMarked;
