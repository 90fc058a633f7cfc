package dev.postrider.spring.boot;

import dev.postrider.all.Postrider;
import dev.postrider.hibernate.EventMapper;
import dev.postrider.hibernate.PostriderHibernate;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.spi.PayloadCodec;
import org.hibernate.SessionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.context.annotation.Bean;

/** Enqueues the events that entities record, in the transaction that stores the entities. */
@AutoConfiguration(after = PostriderAutoConfiguration.class)
@ConditionalOnClass({PostriderHibernate.class, SessionFactory.class, HibernatePropertiesCustomizer.class})
@ConditionalOnBean(Postrider.class)
@ConditionalOnBooleanProperty(name = "postrider.hibernate.enabled", matchIfMissing = true)
final class PostriderHibernateAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    EventMapper postriderEventMapper(ObjectProvider<PayloadCodec> codec) {
        return new AggregateEvents(codec::getObject);
    }

    /** Asks for outbox and mapper at the first event: both may need beans that need the entities. */
    @Bean
    HibernatePropertiesCustomizer postriderHibernateCustomizer(
            ObjectProvider<JdbcOutbox> outbox, ObjectProvider<EventMapper> mapper) {
        PostriderHibernate integration = PostriderHibernate.of(
                outbox::getObject, recorded -> mapper.getObject().message(recorded));
        return properties -> properties.putIfAbsent(PostriderHibernate.SETTING, integration);
    }
}
