package dev.postrider.testpool;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Maven module whose tests are compiled.
 *
 * @param folder the module's folder, which is the working directory of its tests
 * @param output the module's build folder
 */
record TestModule(Path folder, Path output) {

    String name() {
        return folder.getFileName().toString();
    }

    /** The test classes: those that Surefire and Failsafe would run. */
    List<String> testClasses(Pattern wanted) {
        Path root = output.resolve("test-classes");
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString())
                    .filter(file -> file.endsWith("Test.class") || file.endsWith("IT.class"))
                    .filter(file -> !file.contains("$"))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replace(File.separatorChar, '.'))
                    .filter(name -> wanted.matcher(name.substring(name.lastIndexOf('.') + 1))
                            .matches())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not list the tests of " + name(), e);
        }
    }

    /** The class path of the tests; Maven has written that of the dependencies into a file. */
    String classPath() {
        Path dependencies = output.resolve("test-class-path");
        try {
            return String.join(
                    File.pathSeparator,
                    output.resolve("test-classes").toString(),
                    output.resolve("classes").toString(),
                    Files.readString(dependencies).strip());
        } catch (IOException e) {
            throw new UncheckedIOException("Could not read " + dependencies, e);
        }
    }
}
