package dev.postrider.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class WaveSocketTest {

    private final ByteArrayOutputStream wire = new ByteArrayOutputStream();
    private final WaveSocket.HeldOutput output = new WaveSocket.HeldOutput(wire);

    @Test
    void withoutAHoldEverythingGoesOutAtOnce() throws IOException {
        output.write(new byte[] {1, 2});

        assertThat(wire.toByteArray()).containsExactly(1, 2);
    }

    @Test
    void heldWritesWaitForTheReleaseInSpiteOfFlushes() throws IOException {
        output.hold();
        output.write(new byte[] {1});
        output.flush();
        output.write(2);
        assertThat(wire.size()).isZero();

        output.release();

        assertThat(wire.toByteArray()).containsExactly(1, 2);
    }

    @Test
    void whateverIsWrittenArrivesInOrder() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (int i = 0; i < 2_000; i++) {
            byte[] chunk = new byte[random.nextInt(random.nextInt(50) == 0 ? 100_000 : 500)];
            random.nextBytes(chunk);
            expected.write(chunk);
            output.write(chunk);
            switch (random.nextInt(10)) {
                case 0 -> output.hold();
                case 1 -> output.release();
                default -> output.flush();
            }
        }

        output.release();

        assertThat(wire.toByteArray()).as("seed %d", seed).isEqualTo(expected.toByteArray());
    }
}
