package dev.postrider.rabbitmq;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A socket that can hold writes back until a wave is complete. The client flushes after every message, which costs the
 * broker and us a system call and a packet each time; a wave needs far fewer.
 */
final class WaveSocket extends Socket {

    private @Nullable HeldOutput output;

    /** From now on what is written waits until {@link #release}, or until there is enough of it. */
    void hold() throws IOException {
        getOutputStream().hold();
    }

    /** Sends what was held back. */
    void release() throws IOException {
        getOutputStream().release();
    }

    @Override
    public synchronized HeldOutput getOutputStream() throws IOException {
        HeldOutput present = output;
        if (present == null) {
            present = new HeldOutput(super.getOutputStream());
            output = present;
        }
        return present;
    }

    /** Makes sockets that hold waves together. The client asks for unconnected ones only. */
    static final class Factory extends SocketFactory {

        @Override
        public Socket createSocket() {
            return new WaveSocket();
        }

        @Override
        public Socket createSocket(String host, int port) {
            throw unconnectedOnly();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
            throw unconnectedOnly();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) {
            throw unconnectedOnly();
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) {
            throw unconnectedOnly();
        }

        private static UnsupportedOperationException unconnectedOnly() {
            return new UnsupportedOperationException("Only unconnected sockets are made here");
        }
    }

    /** Passes everything on at once, or collects it while it is held. Thread-safe. */
    static final class HeldOutput extends OutputStream {

        private static final int ENOUGH = 32 * 1024;

        private final OutputStream target;
        private final byte[] held = new byte[ENOUGH];
        private int length;
        private boolean holding;

        HeldOutput(OutputStream target) {
            this.target = target;
        }

        synchronized void hold() {
            holding = true;
        }

        synchronized void release() throws IOException {
            holding = false;
            writeHeld();
        }

        @Override
        public synchronized void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] bytes, int offset, int count) throws IOException {
            if (length + count > ENOUGH) {
                writeHeld();
            }
            if (holding && count <= ENOUGH) {
                System.arraycopy(bytes, offset, held, length, count);
                length += count;
            } else {
                target.write(bytes, offset, count);
            }
        }

        @Override
        public synchronized void flush() throws IOException {
            if (!holding) {
                writeHeld();
                target.flush();
            }
        }

        private void writeHeld() throws IOException {
            int count = length;
            length = 0;
            if (count > 0) {
                target.write(held, 0, count);
            }
        }

        @Override
        public void close() throws IOException {
            target.close();
        }
    }
}
