/** The description of the API, made from its routes. */
@NullMarked
package dev.postrider.console.openapi;

import org.jspecify.annotations.NullMarked;
