/** What publishers are made of, and the publishers that need no broker. */
@NullMarked
package dev.postrider.publish;

import org.jspecify.annotations.NullMarked;
