/** Configures the operators' API and pages inside an application, and what they see of its database. */
@NullMarked
package dev.postrider.spring.boot.console;

import org.jspecify.annotations.NullMarked;
