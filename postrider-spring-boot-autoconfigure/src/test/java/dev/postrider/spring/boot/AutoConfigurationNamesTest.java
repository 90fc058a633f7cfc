package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.util.ClassUtils;

/** Spring Boot ignores the name of an auto-configuration that does not exist, and so the order would be lost. */
final class AutoConfigurationNamesTest {

    private static final ClassLoader LOADER = Objects.requireNonNull(AutoConfigurationNamesTest.class.getClassLoader());

    // Of Spring Boot 4.2.
    private static final Set<String> LATER =
            Set.of("org.springframework.boot.rabbitmq.autoconfigure.RabbitAutoConfiguration");

    @Test
    void everyClassThatOrdersAnAutoConfigurationExists() {
        List<AutoConfiguration> ours = ImportCandidates.load(AutoConfiguration.class, LOADER).getCandidates().stream()
                .filter(name -> name.startsWith("dev.postrider."))
                .map(name -> ClassUtils.resolveClassName(name, LOADER))
                .map(type -> Objects.requireNonNull(type.getAnnotation(AutoConfiguration.class), type::getName))
                .toList();

        assertThat(ours).hasSizeGreaterThan(15);
        assertThat(ours.stream()
                        .flatMap(each -> Stream.of(each.afterName(), each.beforeName()))
                        .flatMap(Arrays::stream))
                .filteredOn(name -> !LATER.contains(name))
                .isNotEmpty()
                .allSatisfy(name ->
                        assertThat(ClassUtils.isPresent(name, LOADER)).as(name).isTrue());
    }
}
