package dev.postrider.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** An authority of our own and certificates it signed, made by the JDK's keytool. */
final class Certificates {

    private static final String PASSWORD = "changeit";

    private final Path folder;

    Certificates(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        keytool("authority", "-alias", "authority", "-dname", "CN=Test authority", "-ext", "bc:c");
    }

    /** Makes a certificate for this host, signed by the authority. */
    void sign(String name, String host, String... options) throws IOException, InterruptedException {
        Files.copy(file("authority"), file(name));
        List<String> all = new ArrayList<>(
                List.of("-alias", "server", "-dname", "CN=" + host, "-ext", "san=dns:" + host, "-signer", "authority"));
        all.addAll(List.of(options));
        keytool(name, all.toArray(String[]::new));
    }

    /** Makes a certificate for this host that nobody vouches for. */
    void selfSign(String name, String host) throws IOException, InterruptedException {
        keytool(name, "-alias", "server", "-dname", "CN=" + host, "-ext", "san=dns:" + host);
    }

    /** What a server with this certificate uses. */
    SSLContext server(String name) throws IOException, GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        KeyStore store = load(name);
        if (store.containsAlias("authority")) {
            store.deleteEntry("authority");
        }
        keys.init(store, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    /** What a client that trusts the authority uses. */
    SSLContext client() throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("authority", load("authority").getCertificate("authority"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private KeyStore load(String name) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file(name))) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    private void keytool(String name, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-keystore",
                file(name).toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD));
        command.addAll(List.of("-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1"));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        if (!process.waitFor(2, TimeUnit.MINUTES) || process.exitValue() != 0) {
            throw new IllegalStateException(Files.readString(folder.resolve("keytool.log")));
        }
    }

    private Path file(String name) {
        return folder.resolve(name + ".p12");
    }
}
