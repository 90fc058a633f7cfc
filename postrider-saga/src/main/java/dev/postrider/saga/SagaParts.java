package dev.postrider.saga;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the builders of a saga have collected. Keeps the order of definition; all other rules are checked at the end.
 */
final class SagaParts<C> {

    private final String name;
    private final List<Step<C>> steps = new ArrayList<>();
    private int version = 1;
    private @Nullable SagaCodec<C> codec;
    private @Nullable Duration deadline;
    private boolean atomicOnly;
    private boolean goOn;
    // The steps after which the next one comes, and while a group is open, its members so far.
    private Set<String> last = Set.of();
    private @Nullable Set<String> members;

    SagaParts(String name, Class<C> contextType) {
        this.name = SagaNames.check("saga", name);
        Objects.requireNonNull(contextType, "contextType");
    }

    void version(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("version must be at least 1 but was " + value);
        }
        this.version = value;
    }

    void codec(SagaCodec<C> value) {
        this.codec = Objects.requireNonNull(value, "codec");
    }

    void deadline(Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("deadline must be positive but was " + value);
        }
        this.deadline = value;
    }

    void atomicOnly() {
        this.atomicOnly = true;
    }

    void continueOnCompensationFailure() {
        this.goOn = true;
    }

    void local(String step, Consumer<LocalStep<C>> configure) {
        add(new LocalStep<>(SagaNames.check("step", step)), configure);
    }

    void request(String step, Consumer<RequestStep<C>> configure) {
        add(new RequestStep<>(SagaNames.check("step", step)), configure);
    }

    void external(String step, Consumer<ExternalStep<C>> configure) {
        add(new ExternalStep<>(SagaNames.check("step", step)), configure);
    }

    private <S extends StepBuilder<C, S>> void add(S builder, Consumer<S> configure) {
        configure.accept(builder);
        steps.add(builder.build(last));
        if (members == null) {
            last = Set.of(builder.name());
        } else {
            members.add(builder.name());
        }
    }

    void group(String group, Runnable configure) {
        SagaNames.check("group", group);
        if (members != null) {
            throw new IllegalArgumentException("Group '%s' is inside another group".formatted(group));
        }
        Set<String> added = new LinkedHashSet<>();
        members = added;
        configure.run();
        members = null;
        if (added.isEmpty()) {
            throw new IllegalArgumentException("Group '%s' has no step".formatted(group));
        }
        last = added;
    }

    Blueprint<C> blueprint() {
        if (codec == null && !atomicOnly) {
            throw new IllegalArgumentException(
                    "Saga '%s' needs codec(..), or atomicOnly() if it only ever executes in one transaction"
                            .formatted(name));
        }
        BlueprintCheck.check(name, steps, atomicOnly);
        return new Blueprint<>(
                new SagaVersion(name, version),
                codec == null ? new NoCodec<>() : codec,
                deadline,
                atomicOnly,
                goOn,
                Graph.inOrder(steps));
    }
}
