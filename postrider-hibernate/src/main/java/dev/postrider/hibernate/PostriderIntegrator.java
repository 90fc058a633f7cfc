package dev.postrider.hibernate;

import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.mapping.PersistentClass;

/**
 * Reads the setting {@value PostriderHibernate#SETTING} of a new SessionFactory. Hibernate finds this class with the
 * ServiceLoader; applications do not use it. Thread-safe.
 */
public final class PostriderIntegrator implements Integrator {

    /** Called by the ServiceLoader. */
    public PostriderIntegrator() {}

    @Override
    public void integrate(Metadata metadata, BootstrapContext bootstrap, SessionFactoryImplementor factory) {
        Object setting = bootstrap
                .getServiceRegistry()
                .requireService(ConfigurationService.class)
                .getSettings()
                .get(PostriderHibernate.SETTING);
        if (setting == null) {
            return;
        }
        if (!(setting instanceof PostriderHibernate postrider)) {
            throw new IllegalArgumentException("The setting %s must be a PostriderHibernate but was a %s"
                    .formatted(PostriderHibernate.SETTING, setting.getClass().getName()));
        }
        postrider.listen(
                factory.getServiceRegistry().requireService(EventListenerRegistry.class),
                metadata.getEntityBindings().stream().map(PersistentClass::getMappedClass));
    }
}
