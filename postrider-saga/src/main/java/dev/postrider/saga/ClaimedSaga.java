package dev.postrider.saga;

import java.util.UUID;

/**
 * A saga that is claimed under an epoch.
 *
 * @param count how often it was claimed since it was last advanced, this time included
 */
record ClaimedSaga(UUID id, SagaVersion definition, long epoch, int count) {}
