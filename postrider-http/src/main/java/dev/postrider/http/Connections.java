package dev.postrider.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.Proxy;
import java.net.Socket;
import java.time.Duration;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.DefaultConnectionKeepAliveStrategy;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.ssl.ClientTlsStrategyBuilder;
import org.apache.hc.client5.http.ssl.HostnameVerificationPolicy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.MonitoringResponseOutOfOrderStrategy;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http.ssl.TLS;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.pool.PoolReusePolicy;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * The connections to one endpoint, made only to checked addresses. A request goes out once: no redirect, no retry, no
 * cookie, no proxy, no decompression, no authentication by itself. Thread-safe.
 */
final class Connections {

    private static final String DELIVERY = "postrider.delivery";
    private static final int BODY_CAP = 64 * 1024;
    private static final int HEADER_LINE_CAP = 8 * 1024;
    private static final int HEADER_COUNT_CAP = 100;
    private static final TimeValue IDLE = TimeValue.ofSeconds(30);
    private static final TimeValue LIFE = TimeValue.ofMinutes(5);
    private static final TimeValue UNCHECKED = TimeValue.ofMilliseconds(200);

    private final HttpHost target;
    private final PoolingHttpClientConnectionManager pool;
    private final CloseableHttpClient client;

    Connections(HttpPublisherBuilder builder, DnsResolver dns) {
        Endpoint endpoint = builder.endpoint;
        this.target = new HttpHost(endpoint.scheme(), endpoint.host(), endpoint.writtenPort());
        this.pool = pool(builder, dns);
        this.client = HttpClients.custom()
                .setConnectionManager(pool)
                .setDefaultRequestConfig(requestConfig(builder.timeout))
                .setKeepAliveStrategy((response, context) -> {
                    TimeValue wish =
                            DefaultConnectionKeepAliveStrategy.INSTANCE.getKeepAliveDuration(response, context);
                    return TimeValue.isPositive(wish) && wish.compareTo(IDLE) < 0 ? wish : IDLE;
                })
                .addRequestInterceptorLast((request, entity, context) -> requireUnanswered(context))
                .setUserAgent("Postrider")
                .disableAuthCaching()
                .disableAutomaticRetries()
                .disableContentCompression()
                .disableCookieManagement()
                .disableRedirectHandling()
                .build();
    }

    private static RequestConfig requestConfig(Duration timeout) {
        return RequestConfig.custom()
                .setConnectionRequestTimeout(Timeout.of(timeout))
                .setResponseTimeout(Timeout.of(timeout))
                .setAuthenticationEnabled(false)
                .setContentCompressionEnabled(false)
                .setExpectContinueEnabled(false)
                .setProtocolUpgradeEnabled(false)
                .setRedirectsEnabled(false)
                .build();
    }

    private static PoolingHttpClientConnectionManager pool(HttpPublisherBuilder builder, DnsResolver dns) {
        TlsSocketStrategy tls = ClientTlsStrategyBuilder.create()
                .setSslContext(builder.sslContext())
                .setTlsVersions(TLS.V_1_3, TLS.V_1_2)
                .setHostVerificationPolicy(HostnameVerificationPolicy.BOTH)
                .buildClassic();
        // A socket made without a proxy in mind would take the one that the system properties name.
        DefaultHttpClientConnectionOperator operator = new DefaultHttpClientConnectionOperator(
                ignored -> new Socket(Proxy.NO_PROXY), null, dns, scheme -> scheme.equals("https") ? tls : null);
        PoolingHttpClientConnectionManager pool = new PoolingHttpClientConnectionManager(
                operator, PoolConcurrencyPolicy.STRICT, PoolReusePolicy.LIFO, LIFE, connectionFactory());
        pool.setDefaultConnectionConfig(ConnectionConfig.custom()
                .setConnectTimeout(Timeout.of(builder.connectTimeout))
                .setSocketTimeout(Timeout.of(builder.timeout))
                .setTimeToLive(LIFE)
                .setValidateAfterInactivity(UNCHECKED)
                .build());
        pool.setMaxTotal(builder.maxConcurrent);
        pool.setDefaultMaxPerRoute(builder.maxConcurrent);
        return pool;
    }

    private static ManagedHttpClientConnectionFactory connectionFactory() {
        return ManagedHttpClientConnectionFactory.builder()
                .http1Config(Http1Config.custom()
                        .setMaxLineLength(HEADER_LINE_CAP)
                        .setMaxHeaderCount(HEADER_COUNT_CAP)
                        .build())
                .responseOutOfOrderStrategy(new MonitoringResponseOutOfOrderStrategy(Payload.PIECE))
                .build();
    }

    // Called with a connection at hand, right before the first byte is written to it.
    private static void requireUnanswered(HttpContext context) throws IOException {
        HttpDelivery delivery = (HttpDelivery) context.getAttribute(DELIVERY);
        if (!delivery.send()) {
            throw new IOException("Too late to send");
        }
    }

    /** Sends the request and returns as soon as the head of the response is complete. */
    ClassicHttpResponse send(HttpUriRequestBase request, HttpDelivery delivery) throws IOException {
        HttpClientContext context = HttpClientContext.create();
        context.setAttribute(DELIVERY, delivery);
        return client.executeOpen(target, request, context);
    }

    /** Reads a short body to its end, so that the connection can be used again; a long one costs the connection. */
    static void discard(HttpUriRequestBase request, ClassicHttpResponse response) throws IOException {
        try {
            HttpEntity entity = response.getEntity();
            if (entity != null && !endsWithinCap(entity.getContent())) {
                request.cancel();
            }
        } finally {
            response.close();
        }
    }

    private static boolean endsWithinCap(InputStream body) throws IOException {
        byte[] buffer = new byte[8 * 1024];
        int total = 0;
        int read = 0;
        while (read >= 0 && total <= BODY_CAP) {
            total += read;
            read = body.read(buffer);
        }
        return read < 0;
    }

    /** Closes connections that nobody has used for a while. */
    void closeIdle() {
        pool.closeExpired();
        pool.closeIdle(IDLE);
    }

    void close() {
        client.close(CloseMode.IMMEDIATE);
    }
}
