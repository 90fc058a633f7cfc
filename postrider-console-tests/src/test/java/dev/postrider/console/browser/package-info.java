/** Tests of the console's pages: a real server, a real browser, and what a person would click. */
@NullMarked
package dev.postrider.console.browser;

import org.jspecify.annotations.NullMarked;
