package dev.postrider.console.live;

import dev.postrider.relay.RelayListener;

/** Hears the relays of this process, so that the console knows their delays and the figures of their topics. */
public final class RelayFigures implements RelayListener {

    /** Has heard nothing yet. */
    public RelayFigures() {}
}
