/** Runs the test classes of all modules as independent jobs in a pool of JVMs. */
@NullMarked
package dev.postrider.testpool;

import org.jspecify.annotations.NullMarked;
