package dev.postrider.cli.command;

import dev.postrider.cli.run.CliException;
import dev.postrider.cli.run.ExitCodes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** The flags that say what an edited message has instead. */
final class NewContent {

    @Option(names = "--payload", paramLabel = "TEXT", description = "The new payload.")
    @Nullable String payload;

    @Option(names = "--payload-file", paramLabel = "FILE", description = "A file with the new payload, byte for byte.")
    @Nullable Path file;

    @Option(names = "--content-type", paramLabel = "TYPE", description = "The new content type.")
    @Nullable String contentType;

    @Option(names = "--type", paramLabel = "TYPE", description = "The new type of the message.")
    @Nullable String type;

    @Option(names = "--type-version", paramLabel = "N", description = "The new version of the type.")
    @Nullable Integer version;

    @Option(
            names = "--header",
            paramLabel = "NAME=VALUE",
            description = "A header; may be repeated. The headers given replace all headers of the message.")
    Map<String, String> headers = new LinkedHashMap<>();

    ObjectNode body(CliSession session) {
        ObjectNode body = CliSession.body();
        if (payload != null && file != null) {
            throw session.usage("Give either --payload or --payload-file");
        }
        if (payload != null) {
            body.putObject("payload").put("text", payload);
        }
        if (file != null) {
            putFile(body.putObject("payload"), file);
        }
        if (contentType != null) {
            body.put("contentType", contentType);
        }
        if (type != null) {
            body.put("type", type);
        }
        if (version != null) {
            body.put("version", version);
        }
        if (!headers.isEmpty()) {
            ObjectNode node = body.putObject("headers");
            headers.forEach(node::put);
        }
        if (body.isEmpty()) {
            throw session.usage("There is nothing to replace: give --payload-file, --header, --type or another");
        }
        return body;
    }

    private static void putFile(ObjectNode node, Path file) {
        try {
            byte[] bytes = Files.readAllBytes(file);
            String text = text(bytes);
            if (text != null) {
                node.put("text", text);
            } else {
                node.put("base64", Base64.getEncoder().encodeToString(bytes));
            }
        } catch (IOException e) {
            throw new CliException(ExitCodes.FAILED, "Could not read " + file, e);
        }
    }

    private static @Nullable String text(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.indexOf('\0') < 0 ? text : null;
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
