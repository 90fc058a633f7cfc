package dev.postrider.server.dev;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import org.slf4j.LoggerFactory;

/** The log of {@code dev} on a terminal: warnings only, one line each, on standard error. */
final class DevLog {

    private static final String LINE = "%d{HH:mm:ss} %-5level %msg%nopex%n";

    private DevLog() {}

    static void quiet() {
        // Tomcat logs here, not through SLF4J.
        java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.WARNING);
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.reset();
            Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
            root.setLevel(Level.WARN);
            root.addAppender(appender(context));
        }
    }

    private static ConsoleAppender<ILoggingEvent> appender(LoggerContext context) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(LINE);
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        return appender;
    }
}
