package dev.postrider.spring.test;

import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;

/** Leaves out the components of the application, except those that a {@link PostriderTest} includes. */
final class PostriderTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<PostriderTest> {

    PostriderTypeExcludeFilter(Class<?> testClass) {
        super(testClass);
    }
}
