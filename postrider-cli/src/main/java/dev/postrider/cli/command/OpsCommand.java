package dev.postrider.cli.command;

import dev.postrider.cli.run.CliException;
import dev.postrider.cli.run.ExitCodes;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes the files for monitoring and operation that belong to this version. */
@Command(
        name = "ops",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        description = "Writes dashboards, alert rules and runbooks of this version.",
        footerHeading = "%nExamples:%n",
        footer = {"  postrider ops export monitoring"})
final class OpsCommand {

    private static final String ROOT = "/META-INF/postrider/ops";
    private static final int MOST_FILES = 1_000;

    @Command(
            name = "export",
            description = {
                "Writes Grafana dashboards, Prometheus rules with their tests, and runbooks into a folder.",
                "A file that is there with other content stays, unless --force is given."
            },
            footerHeading = "%nExamples:%n",
            footer = {"  postrider ops export monitoring", "  postrider ops export monitoring --force"})
    int export(
            @Mixin CliSession session,
            @Option(names = "--force", description = "Replaces files that have other content.") boolean force,
            @Parameters(paramLabel = "FOLDER", description = "Where to; it is made if it is missing.") Path folder) {
        URL resource = OpsCommand.class.getResource(ROOT);
        if (resource == null) {
            throw new CliException(ExitCodes.FAILED, "This build has no files for operation");
        }
        try {
            URI uri = resource.toURI();
            int left = uri.getScheme().equals("jar")
                    ? ofJar(session, uri, folder, force)
                    : copy(session, Path.of(uri), folder, force);
            return left == 0 ? ExitCodes.DONE : ExitCodes.PARTLY;
        } catch (IOException | URISyntaxException e) {
            throw new CliException(
                    ExitCodes.FAILED, "Could not write into %s: %s".formatted(folder, e.getMessage()), e);
        }
    }

    private static int ofJar(CliSession session, URI uri, Path folder, boolean force) throws IOException {
        try (FileSystem jar = FileSystems.newFileSystem(uri, Map.of())) {
            return copy(session, jar.getPath(ROOT), folder, force);
        }
    }

    private static int copy(CliSession session, Path from, Path folder, boolean force) throws IOException {
        int left = 0;
        for (Path file : files(from)) {
            Path to = folder.resolve(from.relativize(file).toString());
            byte[] content = Files.readAllBytes(file);
            if (Files.exists(to) && !force && !java.util.Arrays.equals(content, Files.readAllBytes(to))) {
                session.note("%s has other content and stays; --force replaces it".formatted(to));
                left++;
                continue;
            }
            Files.createDirectories(to.toAbsolutePath().getParent());
            Files.write(to, content);
            session.out().println(to);
        }
        session.out().flush();
        return left;
    }

    private static List<Path> files(Path from) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            return all.filter(Files::isRegularFile).sorted().limit(MOST_FILES).toList();
        }
    }
}
