package dev.postrider.console.message;

import dev.postrider.admin.MessageFilter;
import dev.postrider.admin.Page;
import dev.postrider.admin.Slice;
import dev.postrider.admin.StoredMessage;
import dev.postrider.console.ConsoleSource;
import dev.postrider.console.filter.FilterGrammar;
import dev.postrider.console.filter.MessageQuery;
import dev.postrider.console.route.Exchange;
import dev.postrider.console.route.FieldKind;
import dev.postrider.console.route.ProblemCode;
import dev.postrider.console.route.RouteField;
import dev.postrider.console.route.RouteProblem;
import java.time.Instant;
import java.util.List;

/** Searches messages by the filters that people type. */
final class MessageSource {

    static final RouteField FILTER = new RouteField(
            "filter",
            FieldKind.TEXT,
            false,
            0,
            FilterGrammar.MAX_LENGTH,
            List.of(),
            "A filter such as status:dead topic:orders age:>5m.");

    /** The filter of an action: everything has to be asked for in words, such as {@code status:dead}. */
    static final RouteField SELECTION = RouteField.text("filter", "Which messages; status:dead for all dead ones.")
            .upTo(FilterGrammar.MAX_LENGTH)
            .mandatory();

    private MessageSource() {}

    static MessageQuery query(Exchange exchange) {
        return exchange.text("filter")
                .map(text -> FilterGrammar.parse(text, Instant.now()))
                .orElse(MessageQuery.all());
    }

    /** Returns the filter for what works on all messages that fit and not on one. */
    static MessageFilter filter(Exchange exchange) {
        MessageQuery query = query(exchange);
        if (query.id() != null) {
            throw new RouteProblem(
                    ProblemCode.FILTER_BROKEN,
                    "This takes no filter with 'id'",
                    "Act on single messages by their ids.");
        }
        return query.filter();
    }

    static Slice<StoredMessage> search(ConsoleSource source, MessageQuery query, Page page) {
        if (query.id() != null) {
            List<StoredMessage> found = source.postrider().admin().find(query.id()).stream()
                    .filter(query::matches)
                    .toList();
            return new Slice<>(found, null);
        }
        return source.postrider().deadMessages().search(query.filter(), page);
    }
}
