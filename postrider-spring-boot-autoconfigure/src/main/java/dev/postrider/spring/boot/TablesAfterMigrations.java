package dev.postrider.spring.boot;

import dev.postrider.all.Postrider;
import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;

/** Lets Flyway, Liquibase and schema.sql run before the tables are checked or created. */
final class TablesAfterMigrations extends AbstractBeansOfTypeDependsOnDatabaseInitializationDetector {

    @Override
    protected Set<Class<?>> getDependsOnDatabaseInitializationBeanTypes() {
        return Set.of(Postrider.class);
    }
}
