package dev.postrider.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.net.Socket;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** Makes connections the way this module needs them. Thread-safe. */
final class Connector {

    private static final int HEARTBEAT_SECONDS = 10;
    private static final int CONNECT_MILLIS = 3_000;
    private static final int HANDSHAKE_MILLIS = 3_000;
    private static final int PUBLISHER_RPC_MILLIS = 3_000;
    // A quorum queue that has lost its leader answers when it has a new one.
    private static final int CONSUMER_RPC_MILLIS = 20_000;
    private static final String NAME = "postrider";
    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[?(0:0:0:0:0:0:0:1|::1)]?", Pattern.CASE_INSENSITIVE);

    private final ConnectionFactory factory;

    /** A connection and the socket below it, which alone can free a thread that is stuck in a write. */
    record Connected(Connection connection, Socket socket) {}

    /** Makes connections for a publisher, which has somebody waiting for it. */
    static Connector ofPublisher(ConnectionFactory original, boolean allowPlaintext) {
        return new Connector(original, allowPlaintext, PUBLISHER_RPC_MILLIS);
    }

    /** Makes connections for a consumer. */
    static Connector ofConsumer(ConnectionFactory original, boolean allowPlaintext) {
        return new Connector(original, allowPlaintext, CONSUMER_RPC_MILLIS);
    }

    /**
     * Copies the factory. Recovery is switched off: it would bring channels back behind our back, with tags that begin
     * anew.
     *
     * @throws IllegalArgumentException if the connection would leave the machine unencrypted and that is not allowed
     */
    private Connector(ConnectionFactory original, boolean allowPlaintext, int rpcMillis) {
        if (!original.isSSL()
                && !allowPlaintext
                && !LOOPBACK.matcher(original.getHost()).matches()) {
            throw new IllegalArgumentException(
                    "The connection to RabbitMQ at '%s' would not be encrypted: call useSslProtocol(SSLContext) on the"
                                    .formatted(original.getHost())
                            + " ConnectionFactory, or allowPlaintext(true) if the network can be trusted");
        }
        factory = original.clone();
        factory.setAutomaticRecoveryEnabled(false);
        factory.setTopologyRecoveryEnabled(false);
        factory.useBlockingIo();
        if (factory.isSSL()) {
            factory.enableHostnameVerification();
        } else if (factory.getSocketFactory() == null) {
            factory.setSocketFactory(new WaveSocket.Factory());
        }
        shortenTimeouts(rpcMillis);
    }

    // What the user has set stays: the library's own values are meant for connections that are not waited for.
    private void shortenTimeouts(int rpcMillis) {
        if (factory.getRequestedHeartbeat() == ConnectionFactory.DEFAULT_HEARTBEAT) {
            factory.setRequestedHeartbeat(HEARTBEAT_SECONDS);
        }
        if (factory.getConnectionTimeout() == ConnectionFactory.DEFAULT_CONNECTION_TIMEOUT) {
            factory.setConnectionTimeout(CONNECT_MILLIS);
        }
        if (factory.getHandshakeTimeout() == ConnectionFactory.DEFAULT_HANDSHAKE_TIMEOUT) {
            factory.setHandshakeTimeout(HANDSHAKE_MILLIS);
        }
        if (factory.getChannelRpcTimeout() == ConnectionFactory.DEFAULT_CHANNEL_RPC_TIMEOUT) {
            factory.setChannelRpcTimeout(rpcMillis);
        }
    }

    Connected connect() throws IOException {
        AtomicReference<Socket> socket = new AtomicReference<>();
        ConnectionFactory own = factory.clone();
        own.setSocketConfigurator(own.getSocketConfigurator().andThen(each -> {
            // A factory made for Netty may say it has TLS and not have it here.
            if (own.isSSL() && !(each instanceof SSLSocket)) {
                throw new IOException("The ConnectionFactory asks for TLS but makes sockets without it");
            }
            socket.set(each);
        }));
        try {
            Connection connection = own.newConnection(NAME);
            return new Connected(connection, Objects.requireNonNull(socket.get(), "socket"));
        } catch (IOException | TimeoutException | RuntimeException e) {
            throw new IOException(
                    "Could not connect to RabbitMQ at %s:%d: %s: %s"
                            .formatted(
                                    factory.getHost(),
                                    factory.getPort(),
                                    e.getClass().getSimpleName(),
                                    BrokerText.of(e)),
                    e);
        } catch (Error e) {
            closeAfter(e, socket.get());
            throw e;
        }
    }

    // Otherwise a connection that nobody knows of would stay open.
    private static void closeAfter(Error error, @Nullable Socket socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            error.addSuppressed(e);
        }
    }
}
