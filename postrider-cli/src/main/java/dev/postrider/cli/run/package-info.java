/** What every command shares: where it runs, its exit codes, and how it fails. */
@NullMarked
package dev.postrider.cli.run;

import org.jspecify.annotations.NullMarked;
