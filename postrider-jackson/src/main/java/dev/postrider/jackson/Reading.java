package dev.postrider.jackson;

import java.util.List;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/**
 * How a payload becomes an object.
 *
 * @param upcasters each makes the next version of it, in order
 */
record Reading(PayloadType type, List<UnaryOperator<ObjectNode>> upcasters) {

    Reading {
        upcasters = List.copyOf(upcasters);
    }
}
