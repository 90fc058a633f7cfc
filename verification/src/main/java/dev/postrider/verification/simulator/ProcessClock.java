package dev.postrider.verification.simulator;

import java.util.function.LongSupplier;

/**
 * The monotonic clock of one process: it begins anywhere, runs a little fast or slow, and stops with a suspended VM.
 */
final class ProcessClock implements LongSupplier {

    private final LongSupplier trueTime;
    private final long begin;
    private final double rate;
    private long stood;
    private long stoppedAt = -1;

    ProcessClock(LongSupplier trueTime, Dice dice, int drift) {
        this.trueTime = trueTime;
        this.begin = dice.random().nextLong();
        this.rate = 1 + dice.between(-drift, drift) / 1_000.0;
    }

    @Override
    public long getAsLong() {
        long ran = (stoppedAt >= 0 ? stoppedAt : trueTime.getAsLong()) - stood;
        return begin + (long) (ran * rate);
    }

    void stop() {
        if (stoppedAt < 0) {
            stoppedAt = trueTime.getAsLong();
        }
    }

    void goOn() {
        if (stoppedAt >= 0) {
            stood += trueTime.getAsLong() - stoppedAt;
            stoppedAt = -1;
        }
    }
}
