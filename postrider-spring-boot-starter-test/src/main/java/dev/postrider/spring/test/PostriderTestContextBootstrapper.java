package dev.postrider.spring.test;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/** Reads the properties of {@link PostriderTest}. */
final class PostriderTestContextBootstrapper extends TestSliceTestContextBootstrapper<PostriderTest> {

    PostriderTestContextBootstrapper() {}
}
