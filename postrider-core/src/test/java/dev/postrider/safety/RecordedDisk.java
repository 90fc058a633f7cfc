package dev.postrider.safety;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** A directory on the real disk that records what is done to its files, and fails when told to. */
final class RecordedDisk extends FileSystemProvider {

    /** What was done, for example {@code force postrider-dead-relay-1-000001.log}. */
    final List<String> events = new ArrayList<>();

    /** The channels that were opened, in that order. */
    final List<RecordedChannel> channels = new ArrayList<>();

    /** How many writes still succeed; the next one writes half of its bytes and throws. */
    int goodWrites = Integer.MAX_VALUE;

    boolean truncateFails;

    /** Runs before a file is closed. */
    volatile Runnable beforeClose = () -> {};

    private final FileSystem system = new RecordedSystem();

    /** Returns the same path, of which this disk sees every use. */
    Path watched(Path real) {
        return (Path) Proxy.newProxyInstance(
                RecordedDisk.class.getClassLoader(), new Class<?>[] {Path.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getFileSystem")) {
                        return system;
                    }
                    Object[] plain = arguments == null
                            ? new Object[0]
                            : Arrays.stream(arguments)
                                    .map(each -> each instanceof Path path ? real(path) : each)
                                    .toArray();
                    try {
                        Object result = method.invoke(real, plain);
                        return result instanceof Path path ? watched(path) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static Path real(Path path) {
        return Path.of(path.toString());
    }

    private static FileSystemProvider provider(Path path) {
        return real(path).getFileSystem().provider();
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        RecordedChannel channel = new RecordedChannel(
                this, String.valueOf(path.getFileName()), FileChannel.open(real(path), options, attributes));
        channels.add(channel);
        return channel;
    }

    @Override
    public void delete(Path path) throws IOException {
        events.add("delete " + path.getFileName());
        provider(path).delete(real(path));
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path directory, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        DirectoryStream<Path> paths = provider(directory).newDirectoryStream(real(directory), filter);
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                return StreamSupport.stream(paths.spliterator(), false)
                        .map(RecordedDisk.this::watched)
                        .iterator();
            }

            @Override
            public void close() throws IOException {
                paths.close();
            }
        };
    }

    @Override
    public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
        provider(directory).createDirectory(real(directory), attributes);
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return provider(path).getFileStore(real(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        provider(path).checkAccess(real(path), modes);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return provider(path).readAttributes(real(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String names, LinkOption... options) throws IOException {
        return provider(path).readAttributes(real(path), names, options);
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        return provider(path).getFileAttributeView(real(path), type, options);
    }

    @Override
    public void setAttribute(Path path, String name, Object value, LinkOption... options) throws IOException {
        provider(path).setAttribute(real(path), name, value, options);
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public boolean isSameFile(Path one, Path other) throws IOException {
        return provider(one).isSameFile(real(one), real(other));
    }

    @Override
    public boolean isHidden(Path path) {
        return false;
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) {
        throw new UnsupportedOperationException("copy");
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) {
        throw new UnsupportedOperationException("move");
    }

    @Override
    public String getScheme() {
        return "recorded";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> settings) {
        return system;
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return system;
    }

    @Override
    public Path getPath(URI uri) {
        return watched(Path.of(uri.getPath()));
    }

    private final class RecordedSystem extends FileSystem {

        @Override
        public FileSystemProvider provider() {
            return RecordedDisk.this;
        }

        @Override
        public void close() {}

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public boolean isReadOnly() {
            return false;
        }

        @Override
        public String getSeparator() {
            return "/";
        }

        @Override
        public Iterable<Path> getRootDirectories() {
            return List.of();
        }

        @Override
        public Iterable<FileStore> getFileStores() {
            return List.of();
        }

        @Override
        public Set<String> supportedFileAttributeViews() {
            return Set.of("basic", "posix");
        }

        @Override
        public Path getPath(String first, String... more) {
            return watched(Path.of(first, more));
        }

        @Override
        public PathMatcher getPathMatcher(String pattern) {
            throw new UnsupportedOperationException("getPathMatcher");
        }

        @Override
        public UserPrincipalLookupService getUserPrincipalLookupService() {
            throw new UnsupportedOperationException("getUserPrincipalLookupService");
        }

        @Override
        public WatchService newWatchService() {
            throw new UnsupportedOperationException("newWatchService");
        }
    }
}
