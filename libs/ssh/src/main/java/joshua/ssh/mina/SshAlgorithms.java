package joshua.ssh.mina;

import java.util.List;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.OptionalFeature;
import org.apache.sshd.common.cipher.BuiltinCiphers;
import org.apache.sshd.common.compression.BuiltinCompressions;
import org.apache.sshd.common.kex.BuiltinDHFactories;
import org.apache.sshd.common.mac.BuiltinMacs;
import org.apache.sshd.common.signature.BuiltinSignatures;
import org.apache.sshd.server.ServerBuilder;
import org.apache.sshd.server.SshServer;

/**
 * The accepted algorithms, best first: no SHA-1, no CBC, no groups of fixed primes, no DSA, no
 * certificates, no compression (REQ-JS-02).
 */
final class SshAlgorithms {
  private static final List<BuiltinDHFactories> KEY_EXCHANGES =
      List.of(
          BuiltinDHFactories.mlkem768x25519,
          BuiltinDHFactories.sntrup761x25519,
          BuiltinDHFactories.sntrup761x25519_openssh,
          BuiltinDHFactories.curve25519,
          BuiltinDHFactories.curve25519_libssh);

  private static final List<BuiltinCiphers> CIPHERS =
      List.of(
          BuiltinCiphers.cc20p1305_openssh,
          BuiltinCiphers.aes256gcm,
          BuiltinCiphers.aes128gcm,
          BuiltinCiphers.aes256ctr);

  private static final List<BuiltinMacs> MACS =
      List.of(BuiltinMacs.hmacsha256etm, BuiltinMacs.hmacsha512etm);

  private static final List<BuiltinSignatures> SIGNATURES =
      List.of(
          BuiltinSignatures.ed25519,
          BuiltinSignatures.nistp256,
          BuiltinSignatures.nistp384,
          BuiltinSignatures.nistp521,
          BuiltinSignatures.rsaSHA512,
          BuiltinSignatures.rsaSHA256);

  private SshAlgorithms() {}

  static void set(SshServer server) {
    server.setKeyExchangeFactories(
        NamedFactory.setUpTransformedFactories(false, there(KEY_EXCHANGES), ServerBuilder.DH2KEX));
    server.setCipherFactories(List.copyOf(there(CIPHERS)));
    server.setMacFactories(List.copyOf(there(MACS)));
    server.setSignatureFactories(List.copyOf(there(SIGNATURES)));
    server.setCompressionFactories(List.of(BuiltinCompressions.none));
  }

  /** All or nothing: a missing algorithm would otherwise silently be unavailable to clients. */
  private static <T extends OptionalFeature> List<T> there(List<T> wanted) {
    for (T each : wanted) {
      if (!each.isSupported()) {
        throw new IllegalStateException(each + " is missing; is Bouncy Castle on the class path?");
      }
    }
    return wanted;
  }
}
