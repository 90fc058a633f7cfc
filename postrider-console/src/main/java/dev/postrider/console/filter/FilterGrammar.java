package dev.postrider.console.filter;

import dev.postrider.MessageStatus;
import dev.postrider.admin.MessageFilter;
import dev.postrider.spi.ErrorText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes filters such as {@code status:dead topic:shop/orders error:"timed out" age:>5m}. Thread-safe.
 *
 * <p>Terms are separated by spaces, and a message must fit all. A value with spaces stands in quotes; inside, a
 * backslash stands before a quote and a backslash. A word without a qualifier is a part of the last error.
 */
public final class FilterGrammar {

    /** The longest filter. */
    public static final int MAX_LENGTH = 4_000;

    private static final String RETRYING = "retrying";
    private static final Pattern PLAIN = Pattern.compile("[\\p{Alnum}._-]+");
    private static final Pattern AT_LEAST = Pattern.compile(">=([1-9]\\d{0,5})");
    private static final Integer RETRIED = 1;
    private static final int SHOWN = 40;

    private final Instant now;
    private final Map<Qualifier, FilterTerm> terms = new EnumMap<>(Qualifier.class);
    private final List<FilterTerm> words = new ArrayList<>();

    private FilterGrammar(Instant now) {
        this.now = now;
    }

    /**
     * Reads a filter.
     *
     * @param now what ages are counted from
     * @throws BrokenFilterException naming the position
     */
    public static MessageQuery parse(String text, Instant now) {
        if (text.length() > MAX_LENGTH) {
            throw new BrokenFilterException(
                    "A filter has at most %d characters, not %d".formatted(MAX_LENGTH, text.length()),
                    MAX_LENGTH + 1,
                    text.length() - MAX_LENGTH);
        }
        FilterGrammar grammar = new FilterGrammar(now);
        FilterTerms.of(text).forEach(grammar::add);
        return grammar.query();
    }

    /** Writes a filter that {@link #parse} reads; empty for every message. */
    public static String render(MessageQuery query) {
        MessageFilter filter = query.filter();
        List<String> text = new ArrayList<>();
        boolean retrying = filter.status() == MessageStatus.PENDING && RETRIED.equals(filter.attemptsFrom());
        write(text, Qualifier.STATUS, retrying ? RETRYING : status(filter.status()));
        write(text, Qualifier.NS, filter.namespace());
        write(text, Qualifier.TOPIC, filter.topic());
        write(text, Qualifier.TYPE, filter.type());
        write(text, Qualifier.KEY, filter.key());
        write(text, Qualifier.TENANT, filter.tenant());
        write(text, Qualifier.FAILURE, filter.failure());
        write(text, Qualifier.ERROR, filter.errorText());
        if (filter.attemptsFrom() != null && !retrying) {
            text.add("attempts:>=" + filter.attemptsFrom());
        }
        write(text, Qualifier.CREATED, new TimeBounds(filter.createdFrom(), filter.createdBefore()));
        write(text, Qualifier.DIED, new TimeBounds(filter.diedFrom(), filter.diedBefore()));
        write(text, Qualifier.ID, query.id() == null ? null : query.id().toString());
        return String.join(" ", text);
    }

    private static @Nullable String status(@Nullable MessageStatus status) {
        return status == null ? null : status.name().toLowerCase(Locale.ROOT);
    }

    private static void write(List<String> text, Qualifier qualifier, @Nullable String value) {
        if (value != null) {
            boolean plain = PLAIN.matcher(value).matches();
            text.add(qualifier.word() + ":"
                    + (plain ? value : '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"'));
        }
    }

    private static void write(List<String> text, Qualifier qualifier, TimeBounds bounds) {
        if (bounds.from() != null || bounds.before() != null) {
            text.add(qualifier.word() + ":" + bounds.text());
        }
    }

    private void add(FilterTerm term) {
        String word = term.word();
        if (word == null) {
            words.add(term);
            return;
        }
        Qualifier qualifier = Qualifier.of(word).orElseThrow(() -> unknown(term, word));
        if (terms.putIfAbsent(qualifier, term) != null) {
            throw term.broken("A second '%s'".formatted(qualifier.word()));
        }
        if (term.value().isEmpty()) {
            throw term.broken("'%s' needs a value: %s;".formatted(qualifier.word(), qualifier.help()));
        }
    }

    private static BrokenFilterException unknown(FilterTerm term, String word) {
        String hint = Nearest.of(word, Qualifier.words())
                .map("; did you mean '%s'?"::formatted)
                .orElse("; known are " + String.join(", ", Qualifier.words()));
        int start = term.start();
        return new BrokenFilterException(
                "Unknown qualifier '%s' at %d%s".formatted(ErrorText.clean(word, SHOWN), start + 1, hint),
                start + 1,
                Math.max(1, word.length()));
    }

    private MessageQuery query() {
        FilterTerm status = terms.get(Qualifier.STATUS);
        boolean retrying = status != null && status.value().equals(RETRYING);
        TimeBounds created = created();
        TimeBounds died = died();
        FilterTerm ns = terms.get(Qualifier.NS);
        FilterTerm topic = terms.get(Qualifier.TOPIC);
        String namespace = ns == null ? null : ns.value();
        String topicName = topic == null ? null : topic.value();
        if (topic != null && !topic.quoted() && topic.value().contains("/")) {
            int slash = topic.value().indexOf('/');
            if (ns != null) {
                throw topic.broken("A second namespace beside 'ns'; put a topic with a slash in quotes,");
            }
            namespace = nonEmpty(topic, topic.value().substring(0, slash));
            topicName = nonEmpty(topic, topic.value().substring(slash + 1));
        }
        MessageFilter filter = new MessageFilter(
                status == null ? null : retrying ? MessageStatus.PENDING : status(status),
                namespace,
                topicName,
                value(Qualifier.TYPE),
                value(Qualifier.KEY),
                value(Qualifier.TENANT),
                value(Qualifier.FAILURE),
                error(),
                created.from(),
                created.before(),
                died.from(),
                died.before(),
                attempts(retrying));
        return new MessageQuery(filter, id());
    }

    private static String nonEmpty(FilterTerm topic, String part) {
        if (part.isEmpty()) {
            throw topic.brokenValue(
                    "A topic is written namespace/topic, not '%s',".formatted(ErrorText.clean(topic.value(), SHOWN)));
        }
        return part;
    }

    private @Nullable String value(Qualifier qualifier) {
        FilterTerm term = terms.get(qualifier);
        return term == null ? null : term.value();
    }

    private static MessageStatus status(FilterTerm term) {
        List<String> known = new ArrayList<>(Arrays.stream(MessageStatus.values())
                .map(each -> each.name().toLowerCase(Locale.ROOT))
                .toList());
        known.add(RETRYING);
        if (!known.contains(term.value())) {
            String hint = Nearest.of(term.value(), known)
                    .map("; did you mean '%s'?"::formatted)
                    .orElse("; known are " + String.join(", ", known));
            throw new BrokenFilterException(
                    "Unknown status '%s' at %d%s"
                            .formatted(ErrorText.clean(term.value(), SHOWN), term.valueStart() + 1, hint),
                    term.valueStart() + 1,
                    term.end() - term.valueStart());
        }
        return MessageStatus.valueOf(term.value().toUpperCase(Locale.ROOT));
    }

    private @Nullable String error() {
        String error = value(Qualifier.ERROR);
        if (words.isEmpty()) {
            return error;
        }
        if (error != null) {
            throw words.get(0).broken("Words beside 'error'; put all of them after it in quotes,");
        }
        String text = String.join(" ", words.stream().map(FilterTerm::value).toList());
        if (text.isBlank()) {
            throw words.get(0).broken("Empty quotes");
        }
        return text;
    }

    private @Nullable Integer attempts(boolean retrying) {
        FilterTerm term = terms.get(Qualifier.ATTEMPTS);
        if (term == null) {
            return retrying ? RETRIED : null;
        }
        Matcher least = AT_LEAST.matcher(term.value());
        if (!least.matches()) {
            throw term.brokenValue("No number of attempts such as >=3");
        }
        return Integer.valueOf(least.group(1));
    }

    private @Nullable UUID id() {
        FilterTerm term = terms.get(Qualifier.ID);
        if (term == null) {
            return null;
        }
        try {
            UUID id = UUID.fromString(term.value());
            if (id.toString().equalsIgnoreCase(term.value())) {
                return id;
            }
        } catch (IllegalArgumentException e) {
            throw term.brokenValue("No id such as 0190b1c2-0000-7000-8000-000000000001");
        }
        throw term.brokenValue("No id such as 0190b1c2-0000-7000-8000-000000000001");
    }

    private TimeBounds created() {
        FilterTerm age = terms.get(Qualifier.AGE);
        FilterTerm created = terms.get(Qualifier.CREATED);
        if (age != null && created != null) {
            throw age.broken("'age' and 'created' exclude each other; 'age' is");
        }
        if (age != null) {
            return TimeBounds.age(age, now)
                    .orElseThrow(() -> age.brokenValue("No age such as >5m or <1h (ms, s, m, h, d, w)"));
        }
        return created == null ? new TimeBounds(null, null) : TimeBounds.times(created);
    }

    private TimeBounds died() {
        FilterTerm died = terms.get(Qualifier.DIED);
        if (died == null) {
            return new TimeBounds(null, null);
        }
        return TimeBounds.age(died, now).orElseGet(() -> TimeBounds.times(died));
    }
}
