package dev.postrider.saga.testkit;

/** What a step throws because the scenario says so. */
final class InjectedFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InjectedFailure(String label) {
        super("SagaTest lets '%s' fail".formatted(label));
    }
}
