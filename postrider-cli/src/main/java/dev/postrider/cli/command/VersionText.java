package dev.postrider.cli.command;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The version of the jar. */
final class VersionText implements IVersionProvider {

    static String version() {
        return Objects.requireNonNullElse(PostriderCommand.class.getPackage().getImplementationVersion(), "unpackaged");
    }

    @Override
    public String[] getVersion() {
        return new String[] {"postrider " + version()};
    }
}
