/**
 * The threads of Postrider, for its own modules: no other package creates one. They are daemons and outlive what their
 * work throws. Not meant for applications.
 */
@NullMarked
package dev.postrider.thread;

import org.jspecify.annotations.NullMarked;
