package dev.postrider.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressGuardTest {

    private static final AddressGuard STRICT = new AddressGuard(List.of(), false);
    private static final AddressGuard LOCAL = new AddressGuard(List.of(), true);

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, loopback",
        "127.255.255.255, loopback",
        "10.0.0.0, private",
        "10.255.255.255, private",
        "172.16.0.1, private",
        "172.31.255.255, private",
        "192.168.0.1, private",
        "100.64.0.1, shared",
        "100.127.255.255, shared",
        "fc00::1, private",
        "fdff:ffff::1, private",
        "::1, loopback",
    })
    void localAddressesAreRefusedUnlessTheHostIsAllowed(String address, String reason) {
        assertThat(STRICT.objection(literal(address))).get().asString().contains(reason);
        assertThat(LOCAL.objection(literal(address))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, unspecified",
        "0.1.2.3, unspecified",
        "169.254.0.1, link-local",
        "169.254.169.254, metadata",
        "168.63.129.16, metadata",
        "100.100.100.200, metadata",
        "192.0.0.192, metadata",
        "fd00:ec2::254, metadata",
        "fd00:ec2::23, metadata",
        "fd00:ec2:0:1::254, metadata",
        "fd20:ce::254, metadata",
        "fd00:c1::a9fe:a9fe, metadata",
        "fd00:42::42, metadata",
        "fd12:3456:789a::a9fe:a9fe, metadata",
        "fd12:3456:789a::169.254.170.2, metadata",
        "192.0.0.1, reserved",
        "192.0.2.1, documentation",
        "192.88.99.1, reserved",
        "198.18.0.1, benchmarking",
        "198.19.255.255, benchmarking",
        "198.51.100.7, documentation",
        "203.0.113.9, documentation",
        "224.0.0.1, multicast",
        "239.255.255.255, multicast",
        "240.0.0.1, reserved",
        "255.255.255.255, broadcast",
        "::, unspecified",
        "::7f00:1, IPv4-compatible",
        "::8.8.8.8, IPv4-compatible",
        "fe80::1, link-local",
        "febf::1, link-local",
        "fec0::1, site-local",
        "ff02::1, multicast",
        "2001::1, Teredo",
        "2001:0:7f00:1::, Teredo",
        "2001:db8::1, documentation",
        "3fff::1, documentation",
        "2002:7f00:1::, 6to4",
        "2002:a00:1::, 6to4",
        "64:ff9b::a9fe:a9fe, NAT64",
        "64:ff9b:1::7f00:1, not a public",
        "100::1, not a public",
        "5f00::1, not a public",
        "4000::1, not a public",
    })
    void theseAreRefusedEvenIfTheHostIsAllowed(String address, String reason) {
        assertThat(STRICT.objection(literal(address))).get().asString().contains(reason);
        assertThat(LOCAL.objection(literal(address))).get().asString().contains(reason);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "8.8.8.8",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.1",
                "172.15.255.255",
                "172.32.0.0",
                "192.167.255.255",
                "192.169.0.0",
                "223.255.255.255",
                "2606:4700:4700::1111",
                "2a00:1450:4001:81b::200e",
                "64:ff9b::808:808",
            })
    void publicAddressesPass(String address) {
        assertThat(STRICT.objection(literal(address))).isEmpty();
    }

    @Test
    void mappedIpv4AddressIsJudgedByItself() throws UnknownHostException {
        InetAddress loopback = mapped(127, 0, 0, 1);

        assertThat(STRICT.objection(loopback)).contains("loopback");
        assertThat(LOCAL.objection(loopback)).isEmpty();
    }

    @Test
    void mappedMetadataAddressIsRefusedEvenIfTheHostIsAllowed() throws UnknownHostException {
        assertThat(LOCAL.objection(mapped(169, 254, 169, 254))).contains("cloud metadata");
        assertThat(LOCAL.objection(mapped(168, 63, 129, 16))).contains("cloud metadata");
        assertThat(LOCAL.objection(mapped(100, 100, 100, 200))).contains("cloud metadata");
    }

    private static InetAddress mapped(int... ipv4) throws UnknownHostException {
        byte[] mapped = new byte[16];
        mapped[10] = (byte) 0xff;
        mapped[11] = (byte) 0xff;
        for (int i = 0; i < ipv4.length; i++) {
            mapped[12 + i] = (byte) ipv4[i];
        }
        // The usual factories would make an Inet4Address of it.
        InetAddress address = Inet6Address.getByAddress("mapped", mapped, 1);
        assertThat(address).isInstanceOf(Inet6Address.class);
        return address;
    }

    @Test
    void allowedRangesPass() {
        AddressGuard guard = new AddressGuard(
                Stream.of("10.1.0.0/16", "169.254.169.254", "fd00:1::/32", "0.0.0.0/32")
                        .map(IpNet::of)
                        .toList(),
                false);

        assertThat(guard.objection(literal("10.1.255.255"))).isEmpty();
        assertThat(guard.objection(literal("64:ff9b::a01:1"))).isEmpty();
        assertThat(guard.objection(literal("10.2.0.0"))).isPresent();
        assertThat(guard.objection(literal("169.254.169.254"))).isEmpty();
        assertThat(guard.objection(literal("169.254.169.253"))).isPresent();
        assertThat(guard.objection(literal("fd00:1:ffff::"))).isEmpty();
        assertThat(guard.objection(literal("fd00:2::"))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/",
                "10.0.0.1/8",
                "10/8",
                "010.0.0.0/8",
                "1.2.3.4.5",
                "::/129",
                "fe80::1%lo",
                "10.0.0.0/8/8",
                "10.0.0.0/8 ",
            })
    void whatIsNoRangeIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> IpNet.of(text)).withMessageContaining(text);
    }

    private static InetAddress literal(String text) {
        return IpNet.literal(text).orElseThrow();
    }
}
