package dev.postrider.safety;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A file of a {@link RecordedDisk}. */
final class RecordedChannel extends FileChannel {

    private final RecordedDisk disk;
    private final String name;
    private final FileChannel real;

    RecordedChannel(RecordedDisk disk, String name, FileChannel real) {
        this.disk = disk;
        this.name = name;
        this.real = real;
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
        disk.events.add("write " + name);
        if (disk.goodWrites-- > 0) {
            return real.write(bytes);
        }
        real.write(bytes.slice(bytes.position(), bytes.remaining() / 2));
        throw new IOException("no space left");
    }

    @Override
    public void force(boolean metaData) throws IOException {
        disk.events.add("force " + name);
        real.force(metaData);
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        if (disk.truncateFails) {
            throw new IOException("cannot truncate");
        }
        real.truncate(size);
        return this;
    }

    @Override
    protected void implCloseChannel() throws IOException {
        disk.beforeClose.run();
        real.close();
    }

    @Override
    public int read(ByteBuffer bytes) throws IOException {
        return real.read(bytes);
    }

    @Override
    public long read(ByteBuffer[] bytes, int offset, int length) throws IOException {
        return real.read(bytes, offset, length);
    }

    @Override
    public int read(ByteBuffer bytes, long at) throws IOException {
        return real.read(bytes, at);
    }

    @Override
    public long write(ByteBuffer[] bytes, int offset, int length) {
        throw new UnsupportedOperationException("gathering write");
    }

    @Override
    public int write(ByteBuffer bytes, long at) {
        throw new UnsupportedOperationException("write at a place");
    }

    @Override
    public long position() throws IOException {
        return real.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
        real.position(position);
        return this;
    }

    @Override
    public long size() throws IOException {
        return real.size();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
        throw new UnsupportedOperationException("transferTo");
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
        throw new UnsupportedOperationException("transferFrom");
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException("map");
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException("lock");
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException("tryLock");
    }
}
