package dev.postrider.spring.boot.observe;

import dev.postrider.all.Postrider;
import dev.postrider.inbox.Inbox;
import dev.postrider.micrometer.InboxMetrics;
import dev.postrider.micrometer.PostriderMetrics;
import dev.postrider.micrometer.SagaMetrics;
import dev.postrider.monitor.AlertMonitor;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RetentionJob;
import dev.postrider.safety.SafetyNet;
import dev.postrider.saga.SagaDefinition;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.ResolvableType;

/** Watches what the application has, from its start until just before its relay stops. */
final class MetricsLifecycle implements SmartLifecycle {

    private final PostriderMetrics metrics;
    private final InboxMetrics inbox;
    private final SagaMetrics sagas;
    private final Postrider postrider;
    private final BeanFactory beans;
    private volatile boolean running;

    MetricsLifecycle(
            PostriderMetrics metrics, InboxMetrics inbox, SagaMetrics sagas, Postrider postrider, BeanFactory beans) {
        this.metrics = metrics;
        this.inbox = inbox;
        this.sagas = sagas;
        this.postrider = postrider;
        this.beans = beans;
    }

    @Override
    public void start() {
        beans.getBeanProvider(Relay.class).ifUnique(relay -> metrics.watch(relay::health));
        beans.getBeanProvider(RetentionJob.class).ifUnique(metrics::watch);
        beans.getBeanProvider(AlertMonitor.class).ifUnique(metrics::watch);
        beans.getBeanProvider(SafetyNet.class).ifUnique(metrics::watch);
        metrics.start();
        startSagas();
        if (beans.getBeanProvider(Inbox.class).stream().findAny().isPresent()) {
            inbox.start();
        }
        running = true;
    }

    private void startSagas() {
        ObjectProvider<SagaDefinition<?>> definitions =
                beans.getBeanProvider(ResolvableType.forClass(SagaDefinition.class));
        String[] names = definitions.stream().map(SagaDefinition::name).toArray(String[]::new);
        if (names.length > 0) {
            sagas.watch(postrider.sagaAdmin(), names).start();
        }
    }

    @Override
    public void stop() {
        running = false;
        metrics.close();
        inbox.close();
        sagas.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Metrics that were closed never start again, so a paused test context keeps them. */
    @Override
    public boolean isPauseable() {
        return false;
    }
}
