package dev.postrider.server.source;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.annotation.Configurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.metrics.DataSourcePoolMetricsAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.util.ClassUtils;

/** The auto-configuration of a source: all of the starter's, its pool's and its brokers', without the web. */
public final class SourceAutoConfigurations {

    private SourceAutoConfigurations() {}

    /** Returns the names of the starter's auto-configurations, which the web context of the server leaves out. */
    public static List<String> ofStarter() {
        return ImportCandidates.load(AutoConfiguration.class, SourceAutoConfigurations.class.getClassLoader())
                .getCandidates()
                .stream()
                .filter(name -> name.startsWith("dev.postrider."))
                .toList();
    }

    // Both clients are on the class path, so only the settings tell which broker a source has.
    static Class<?>[] of(SourceSettings settings) {
        List<Class<?>> all = new ArrayList<>(List.of(
                DataSourceAutoConfiguration.class,
                DataSourcePoolMetricsAutoConfiguration.class,
                DataSourceTransactionManagerAutoConfiguration.class,
                PropertyPlaceholderAutoConfiguration.class,
                SslAutoConfiguration.class,
                TransactionAutoConfiguration.class,
                TransactionManagerCustomizationAutoConfiguration.class));
        if (settings.has("spring.kafka")) {
            all.add(KafkaAutoConfiguration.class);
        }
        if (settings.has("spring.rabbitmq")) {
            all.add(RabbitAutoConfiguration.class);
        }
        ClassLoader loader = SourceAutoConfigurations.class.getClassLoader();
        ofStarter().stream()
                .<Class<?>>map(name -> ClassUtils.resolveClassName(name, loader))
                .forEach(all::add);
        return Stream.of(Configurations.getClasses(AutoConfigurations.of(all.toArray(Class<?>[]::new))))
                .toArray(Class<?>[]::new);
    }
}
