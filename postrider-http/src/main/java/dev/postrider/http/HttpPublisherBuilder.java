package dev.postrider.http;

import dev.postrider.spi.ErrorText;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Configures an {@link HttpPublisher}. Every option has a default that suits production. */
public final class HttpPublisherBuilder {

    private static final Set<Integer> STANDARD_PORTS = Set.of(80, 443);

    final Endpoint endpoint;
    String method = "POST";
    boolean plaintext;
    final Set<Integer> ports = new HashSet<>(STANDARD_PORTS);
    final List<IpNet> allowedAddresses = new ArrayList<>();
    final Set<String> allowedHosts = new HashSet<>();
    final Map<String, String> fixedHeaders = new TreeMap<>();
    final Set<String> skippedHeaders = new HashSet<>();

    @Nullable Supplier<String> authorization;

    @Nullable URI cloudEventSource;

    @Nullable Signature signature;

    private @Nullable SSLContext tls;
    final Set<Integer> successStatuses = new HashSet<>();
    Duration timeout = Duration.ofSeconds(8);
    Duration connectTimeout = Duration.ofSeconds(3);
    Duration maxRetryAfter = Duration.ofHours(1);
    int maxConcurrent = 32;
    Circuit.Pause circuit = new Circuit.Pause(5, Duration.ofSeconds(1), Duration.ofSeconds(30));

    HostResolver resolver = HostResolver.SYSTEM;
    Clock clock = Clock.systemUTC();
    LongSupplier nanoTime = System::nanoTime;
    RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();

    HttpPublisherBuilder(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** {@code POST} or {@code PUT}. Default {@code POST}. */
    public HttpPublisherBuilder method(String name) {
        if (!name.equals("POST") && !name.equals("PUT")) {
            throw new IllegalArgumentException("method must be POST or PUT but was " + ErrorText.clean(name));
        }
        this.method = name;
        return this;
    }

    /** Lets the endpoint be {@code http}, where everybody on the way can read and change messages. Default off. */
    public HttpPublisherBuilder allowPlaintext(boolean allowed) {
        this.plaintext = allowed;
        return this;
    }

    /** Lets the endpoint have this port. Default only 80 and 443. */
    public HttpPublisherBuilder allowPort(int port) {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port must be between 1 and 65535 but was " + port);
        }
        this.ports.add(port);
        return this;
    }

    /**
     * Lets the host have addresses in these ranges, such as {@code 10.1.0.0/16}, though they are not public. Default
     * none.
     */
    public HttpPublisherBuilder allowAddresses(String... ranges) {
        Arrays.stream(ranges).map(IpNet::of).forEach(allowedAddresses::add);
        return this;
    }

    /**
     * Lets this host have a loopback or private address; link-local addresses and those of cloud metadata stay refused.
     * Default none.
     */
    public HttpPublisherBuilder allowHost(String host) {
        String lower = HeaderText.lower(host);
        if (!Endpoint.isName(lower) && IpNet.literal(lower).isEmpty()) {
            throw new IllegalArgumentException("'%s' is not a host name".formatted(ErrorText.clean(host)));
        }
        this.allowedHosts.add(lower);
        return this;
    }

    /** Adds a header to every request. */
    public HttpPublisherBuilder header(String name, String value) {
        if (!HeaderText.isName(name) || Requests.isReserved(name)) {
            throw new IllegalArgumentException(
                    "'%s' is not a header that can be set here".formatted(ErrorText.clean(name)));
        }
        this.fixedHeaders.put(HeaderText.lower(name), HeaderText.plain(value));
        return this;
    }

    /**
     * Asks for the value of the {@code Authorization} header before each request; it is never logged. The supplier is
     * called by several threads. If it throws, the messages wait.
     */
    public HttpPublisherBuilder authorization(Supplier<String> value) {
        this.authorization = Objects.requireNonNull(value, "authorization");
        return this;
    }

    /**
     * Leaves these headers of messages out. A message with a header that HTTP cannot carry, or that is not for it to
     * set, is rejected otherwise.
     */
    public HttpPublisherBuilder skipHeaders(String... names) {
        Arrays.stream(names).map(HeaderText::lower).forEach(skippedHeaders::add);
        return this;
    }

    /** Adds the attributes of a CloudEvent in binary mode, with this source. Default off. */
    public HttpPublisherBuilder cloudEvents(URI source) {
        this.cloudEventSource = Objects.requireNonNull(source, "source");
        return this;
    }

    /**
     * Signs every request as Standard Webhooks describes, once with each of these secrets ({@code whsec_} and Base64).
     * Default off.
     */
    public HttpPublisherBuilder signWith(String... secrets) {
        this.signature = Signature.with(secrets);
        return this;
    }

    /** Brings trusted certificates and the client's own. Default those of the JVM. */
    public HttpPublisherBuilder sslContext(SSLContext context) {
        this.tls = Objects.requireNonNull(context, "sslContext");
        return this;
    }

    /** Statuses between 300 and 499 that mean the receiver has the message, as 409 often does. Default none. */
    public HttpPublisherBuilder successStatuses(int... statuses) {
        for (int status : statuses) {
            if (status < 300 || status > 499) {
                throw new IllegalArgumentException("successStatuses must be between 300 and 499 but one was " + status);
            }
            this.successStatuses.add(status);
        }
        return this;
    }

    /**
     * How long everything from {@link HttpPublisher#publish} to the answer may take. Default 8 s; keep it below the
     * relay's {@code publishTimeout}.
     */
    public HttpPublisherBuilder timeout(Duration duration) {
        this.timeout = positive("timeout", duration);
        return this;
    }

    /** How long connecting to one address may take. Default 3 s. */
    public HttpPublisherBuilder connectTimeout(Duration duration) {
        this.connectTimeout = positive("connectTimeout", duration);
        return this;
    }

    /** Where a receiver's {@code Retry-After} ends. Default 1 h. */
    public HttpPublisherBuilder maxRetryAfter(Duration duration) {
        this.maxRetryAfter = positive("maxRetryAfter", duration);
        return this;
    }

    /** How many requests are under way at a time; each has a thread and a connection. Default 32. */
    public HttpPublisherBuilder maxConcurrent(int requests) {
        this.maxConcurrent = atLeastOne("maxConcurrent", requests);
        return this;
    }

    /**
     * After how many failures in a row the host is left alone, for how long at first, and where doubling that ends.
     * Default 5, 1 s, 30 s.
     */
    public HttpPublisherBuilder circuit(int failures, Duration firstPause, Duration longestPause) {
        if (longestPause.compareTo(positive("firstPause", firstPause)) < 0) {
            throw new IllegalArgumentException(
                    "longestPause %s is shorter than firstPause %s".formatted(longestPause, firstPause));
        }
        this.circuit = new Circuit.Pause(atLeastOne("failures", failures), firstPause, longestPause);
        return this;
    }

    /**
     * Builds the publisher. It connects when the first message comes.
     *
     * @throws IllegalArgumentException if the endpoint needs an option that was not given, with its name
     */
    public HttpPublisher build() {
        if (!endpoint.encrypted() && !plaintext) {
            throw new IllegalArgumentException(
                    "The endpoint %s is not encrypted; use https or allowPlaintext(true)".formatted(endpoint));
        }
        if (!ports.contains(endpoint.port())) {
            throw new IllegalArgumentException(
                    "The endpoint %s needs allowPort(%d)".formatted(endpoint, endpoint.port()));
        }
        AddressGuard guard = new AddressGuard(allowedAddresses, allowedHosts.contains(endpoint.host()));
        endpoint.literal().flatMap(guard::objection).ifPresent(objection -> {
            throw new IllegalArgumentException(
                    "The endpoint %s has an address that is not allowed: %s".formatted(endpoint, objection));
        });
        return new HttpPublisher(this, guard);
    }

    SSLContext sslContext() {
        try {
            return tls == null ? SSLContext.getDefault() : tls;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This JVM has no TLS", e);
        }
    }

    private static int atLeastOne(String option, int value) {
        if (value < 1) {
            throw new IllegalArgumentException("%s must be at least 1 but was %d".formatted(option, value));
        }
        return value;
    }

    private static Duration positive(String option, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("%s must be positive but was %s".formatted(option, value));
        }
        return value;
    }
}
