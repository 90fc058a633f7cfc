/**
 * Runs the test classes of all modules as independent jobs in a pool of JVMs. It knows JUnit's launcher and nothing of
 * Postrider.
 */
@NullMarked
package dev.postrider.testpool;

import org.jspecify.annotations.NullMarked;
