package dev.postrider.server.dev;

import dev.postrider.console.ConsoleApi;
import dev.postrider.console.servlet.ConsoleServlet;
import dev.postrider.console.servlet.LoopbackCallers;
import dev.postrider.server.source.StartException;
import jakarta.servlet.ServletRegistration;
import java.net.InetAddress;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.Shutdown;
import org.springframework.boot.web.server.WebServer;

/**
 * Serves the API and the pages of {@code dev} to this machine only. A web server without an application context, so
 * that the figures are there within seconds. Thread-safe.
 */
final class DevServer implements AutoCloseable {

    private static final String SERVLET = "postrider-console";
    private static final long OPEN_REQUESTS_SECONDS = 3;

    private final WebServer web;
    private final ConsoleServlet servlet;

    private DevServer(WebServer web, ConsoleServlet servlet) {
        this.web = web;
        this.servlet = servlet;
    }

    /**
     * Begins to listen.
     *
     * @param port 0 for any free one
     * @throws StartException if the port is taken
     */
    static DevServer start(ConsoleApi api, int port) {
        ConsoleServlet servlet = new ConsoleServlet(api::handle, new LoopbackCallers(), null);
        TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(port);
        factory.setAddress(InetAddress.getLoopbackAddress());
        factory.setRegisterDefaultServlet(false);
        factory.setShutdown(Shutdown.GRACEFUL);
        factory.setServerHeader("");
        WebServer web = factory.getWebServer(context -> {
            ServletRegistration.Dynamic registration =
                    Objects.requireNonNull(context.addServlet(SERVLET, servlet), "the servlet's name is taken");
            registration.addMapping("/");
            registration.setAsyncSupported(true);
            registration.setLoadOnStartup(1);
        });
        try {
            web.start();
        } catch (PortInUseException e) {
            throw new StartException(
                    StartException.FAILED, "Port %d is taken: choose another with --port".formatted(port), e);
        }
        return new DevServer(web, servlet);
    }

    /** Returns the address for a browser. */
    String address() {
        return "http://127.0.0.1:" + web.getPort() + "/";
    }

    /** Ends event streams, lets open requests end for a few seconds and stops. */
    @Override
    public void close() {
        servlet.close();
        CountDownLatch ended = new CountDownLatch(1);
        web.shutDownGracefully(result -> ended.countDown());
        try {
            boolean unused = ended.await(OPEN_REQUESTS_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        web.stop();
        web.destroy();
    }
}
