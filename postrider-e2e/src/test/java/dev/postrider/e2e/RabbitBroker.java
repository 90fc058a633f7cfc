package dev.postrider.e2e;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.postrider.publish.MessageHeaders;
import dev.postrider.rabbitmq.RabbitPublisher;
import dev.postrider.services.RabbitServer;
import dev.postrider.services.TcpProxy;
import dev.postrider.spi.MessagePublisher;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** RabbitMQ behind a proxy. */
final class RabbitBroker implements Broker {

    // Short, so that the silence of a frozen broker is noticed soon.
    private static final Duration CONFIRM = Duration.ofSeconds(4);

    private final RabbitServer server = RabbitServer.start();
    private final TcpProxy proxy = TcpProxy.to(server.port());

    RabbitBroker() {
        try (Connection connection = factory(server.port()).newConnection();
                Channel channel = connection.createChannel()) {
            channel.exchangeDeclare(TOPIC, BuiltinExchangeType.TOPIC, true);
            channel.queueDeclare(TOPIC, true, false, false, Map.of());
            channel.queueBind(TOPIC, TOPIC, "#");
        } catch (Exception e) {
            throw new IllegalStateException("Could not declare the exchange", e);
        }
    }

    private ConnectionFactory factory(int port) {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(server.uri());
        } catch (Exception e) {
            throw new IllegalStateException("Could not read " + server, e);
        }
        factory.setPort(port);
        return factory;
    }

    @Override
    public MessagePublisher publisher() {
        return RabbitPublisher.builder(factory(proxy.port()))
                .confirmTimeout(CONFIRM)
                .build();
    }

    @Override
    public void killAndRestart() {
        server.kill();
        server.restart();
    }

    @Override
    public void cutConnections() {
        proxy.cut();
    }

    @Override
    public void freeze() {
        server.freeze();
    }

    @Override
    public void thaw() {
        server.thaw();
    }

    @Override
    public List<Arrival> arrivals() {
        Arrivals arrivals = new Arrivals();
        try (Connection connection = factory(server.port()).newConnection();
                Channel channel = connection.createChannel()) {
            for (GetResponse got = channel.basicGet(TOPIC, true); got != null; got = channel.basicGet(TOPIC, true)) {
                Map<String, Object> headers = got.getProps().getHeaders();
                arrivals.add(
                        String.valueOf(headers.get(MessageHeaders.KEY)),
                        Long.parseLong(String.valueOf(headers.get(MessageHeaders.SEQ))),
                        new String(got.getBody(), StandardCharsets.UTF_8));
            }
        } catch (Exception e) {
            throw new IllegalStateException("Could not read the queue", e);
        }
        return arrivals.all();
    }

    @Override
    public void close() {
        proxy.close();
        server.close();
    }
}
