package dev.postrider.safety;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A disk over a real directory that forgets at a crash what was not forced: bytes of a file, and the names of new files
 * and directories. It can also fill up or fail to force. For one thread.
 */
final class CrashableDisk extends FileSystemProvider {

    private final Path root;
    private final FileSystem system;
    private final Map<Path, Long> forcedBytes = new HashMap<>();
    private final Set<Path> made = new HashSet<>();
    private final Set<Path> forcedNames = new HashSet<>();
    private long room = Long.MAX_VALUE;
    private boolean refusesForce;

    CrashableDisk(Path root) {
        this.root = root;
        this.system = new CrashableFileSystem(this, root);
    }

    /** Returns the root, for the code under test. */
    Path root() {
        return wrap(root);
    }

    /** The disk takes so many more bytes. */
    void leaveRoomFor(long bytes) {
        room = bytes;
    }

    /** From now on nothing is forced to the disk. */
    void refuseForce(boolean refuses) {
        refusesForce = refuses;
    }

    /** The machine loses its power: what was not forced is gone. */
    void crash() throws IOException {
        List<Path> deepestFirst = new ArrayList<>(made);
        deepestFirst.sort(Comparator.comparing(Path::getNameCount).reversed());
        for (Path each : deepestFirst) {
            if (Files.isRegularFile(each)) {
                try (FileChannel file = FileChannel.open(each, StandardOpenOption.WRITE)) {
                    file.truncate(forcedBytes.getOrDefault(each, 0L));
                }
            }
        }
        for (Path each : deepestFirst) {
            if (!forcedNames.contains(each)) {
                removeAll(each);
            }
        }
    }

    private static void removeAll(Path top) throws IOException {
        if (Files.notExists(top)) {
            return;
        }
        try (Stream<Path> all = Files.walk(top)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    /** Returns how many of these bytes may be written. */
    int take(int bytes) throws IOException {
        if (room == 0) {
            throw new IOException("No space left on device");
        }
        int taken = (int) Math.min(bytes, room);
        room -= taken;
        return taken;
    }

    void forced(Path real, long size) throws IOException {
        if (refusesForce) {
            throw new IOException("Input/output error");
        }
        forcedBytes.put(real, size);
        made.stream().filter(each -> real.equals(each.getParent())).forEach(forcedNames::add);
    }

    Path wrap(Path real) {
        return CrashablePath.of(real, system);
    }

    private static Path real(Path path) {
        return CrashablePath.real(path);
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        Path real = real(path);
        FileChannel channel = FileChannel.open(real, options, attributes);
        if (options.contains(StandardOpenOption.CREATE_NEW)) {
            made.add(real);
        }
        return new CrashableChannel(this, real, channel);
    }

    @Override
    public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
        Files.createDirectory(real(directory), attributes);
        made.add(real(directory).toAbsolutePath());
    }

    @Override
    public void delete(Path path) throws IOException {
        Files.delete(real(path));
        made.remove(real(path));
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path directory, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> real = Files.newDirectoryStream(real(directory))) {
            for (Path each : real) {
                if (filter.accept(wrap(each))) {
                    found.add(wrap(each));
                }
            }
        }
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                return found.iterator();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return Files.newByteChannel(real(path), options, attributes);
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return Files.getFileStore(real(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        real(path).getFileSystem().provider().checkAccess(real(path), modes);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return Files.readAttributes(real(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return Files.readAttributes(real(path), attributes, options);
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        return Files.getFileAttributeView(real(path), type, options);
    }

    @Override
    public boolean isSameFile(Path one, Path other) throws IOException {
        return Files.isSameFile(real(one), real(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return Files.isHidden(real(path));
    }

    @Override
    public String getScheme() {
        return "crashable";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return system;
    }

    @Override
    public Path getPath(URI uri) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) {
        throw new UnsupportedOperationException();
    }
}
