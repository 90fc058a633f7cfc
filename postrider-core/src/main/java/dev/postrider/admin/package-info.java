/** What an operator does with messages: look, requeue, discard, replay, edit, restore, purge. */
@NullMarked
package dev.postrider.admin;

import org.jspecify.annotations.NullMarked;
