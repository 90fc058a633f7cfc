/** Telling people that something needs them: what an alert is and who brings it to them. */
@NullMarked
package dev.postrider.alert;

import org.jspecify.annotations.NullMarked;
