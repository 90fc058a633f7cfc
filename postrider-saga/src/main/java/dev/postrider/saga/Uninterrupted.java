package dev.postrider.saga;

/** Does what an interrupt must not cut off: a pool gives no connection to an interrupted thread. */
final class Uninterrupted {

    private Uninterrupted() {}

    /** Runs the work with the interrupt flag down, and raises it again. */
    static <T, E extends Exception> T run(Work<T, E> work) throws E {
        boolean interrupted = Thread.interrupted();
        try {
            return work.run();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @FunctionalInterface
    interface Work<T, E extends Exception> {

        T run() throws E;
    }
}
