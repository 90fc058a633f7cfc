package dev.postrider.server.source;

import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.core.type.AnnotationMetadata;

/** Imports the auto-configurations of a source by name, after all its other beans, so that each condition counts. */
final class SourceImports implements DeferredImportSelector, BeanFactoryAware {

    private String[] names = {};

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        names = Stream.of(SourceAutoConfigurations.of(beanFactory.getBean(SourceSettings.class)))
                .map(Class::getName)
                .toArray(String[]::new);
    }

    @Override
    public String[] selectImports(AnnotationMetadata importing) {
        return names.clone();
    }
}
