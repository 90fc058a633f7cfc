/**
 * Finds the handler of a request, checks role, parameters and body before it, and turns errors into problem details.
 * Only what all screens share belongs here.
 */
@NullMarked
package dev.postrider.console.route;

import org.jspecify.annotations.NullMarked;
