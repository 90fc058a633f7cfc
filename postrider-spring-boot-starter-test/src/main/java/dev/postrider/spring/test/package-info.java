/** Tests of Spring Boot applications that enqueue messages: what was enqueued, and a relay that the test drives. */
@NullMarked
package dev.postrider.spring.test;

import org.jspecify.annotations.NullMarked;
