package dev.postrider.console.message;

import dev.postrider.admin.DeadGroup;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Dead messages that most likely have the same cause. */
public record DeadGroupView(
        String namespace,
        String topic,
        String type,
        String failure,
        long count,
        boolean atLeast,
        Instant first,
        Instant last,
        @Nullable GroupSample sample) {

    /** A message of the group. */
    public record GroupSample(UUID id, @Nullable String error) {}

    /** Returns the view of a group. */
    public static DeadGroupView of(DeadGroup group) {
        DeadGroup.Sample sample = group.sample();
        return new DeadGroupView(
                group.topic().namespace(),
                group.topic().topic(),
                group.type(),
                group.failure(),
                group.count(),
                group.atLeast(),
                group.first(),
                group.last(),
                sample == null ? null : new GroupSample(sample.id(), sample.error()));
    }
}
