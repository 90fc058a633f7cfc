package dev.postrider.cli.link;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.all.Postrider;
import dev.postrider.cli.run.CliException;
import dev.postrider.cli.run.ExitCodes;
import dev.postrider.console.Attachment;
import dev.postrider.console.Caller;
import dev.postrider.console.ConsoleApi;
import dev.postrider.console.ConsoleRequest;
import dev.postrider.console.ConsoleResponse;
import dev.postrider.console.ConsoleRole;
import dev.postrider.console.ConsoleSource;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Answers requests in this JVM, over a database. Thread-safe. */
final class JdbcLink implements ConsoleLink {

    private static final String SOURCE = "main";

    private final HikariDataSource pool;
    private final ConsoleApi api;
    private final Caller caller;

    JdbcLink(LinkTarget target, String user) {
        this.pool = Databases.open(target, false);
        Postrider postrider = target.tables().on(pool);
        this.api = ConsoleApi.of(
                List.of(ConsoleSource.builder(SOURCE, postrider, pool).build()));
        this.caller = new Caller(user.isBlank() ? "unknown" : user, ConsoleRole.ADMIN);
    }

    @Override
    public LinkAnswer send(String method, String path, Map<String, String> query, String body) {
        ConsoleResponse answer = answer(method, path, query, body);
        return new LinkAnswer(answer.status(), answer.contentType(), answer.body());
    }

    @Override
    public LinkAnswer download(String path, Map<String, String> query, OutputStream out) {
        ConsoleResponse answer = answer("GET", path, query, "");
        Attachment attachment = answer.attachment();
        if (attachment == null) {
            return new LinkAnswer(answer.status(), answer.contentType(), answer.body());
        }
        try {
            attachment.content().writeTo(out);
            out.flush();
        } catch (IOException e) {
            throw new CliException(ExitCodes.FAILED, "Could not write the file: " + e.getMessage(), e);
        }
        return new LinkAnswer(answer.status(), answer.contentType(), "");
    }

    private ConsoleResponse answer(String method, String path, Map<String, String> query, String body) {
        Map<String, List<String>> lists =
                query.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, e -> List.of(e.getValue())));
        return api.handle(new ConsoleRequest(method, path, lists, body, caller));
    }

    @Override
    public void close() {
        api.close();
        pool.close();
    }
}
