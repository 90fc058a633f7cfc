/** Tests of the command line, over databases and over HTTP. */
@NullMarked
package dev.postrider.cli;

import org.jspecify.annotations.NullMarked;
