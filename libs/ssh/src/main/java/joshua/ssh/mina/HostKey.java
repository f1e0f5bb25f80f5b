package joshua.ssh.mina;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import joshua.kernel.PrivateFile;
import org.apache.sshd.common.keyprovider.FileKeyPairProvider;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.server.keyprovider.SimpleGeneratorHostKeyProvider;

/** The host key of the servers: ed25519, generated at the first start. */
final class HostKey {
  private HostKey() {}

  /** Reads or generates the key; the message of an exception is a sentence for the user. */
  static KeyPairProvider in(Path file) throws IOException {
    PrivateFile.createDirectories(file.resolveSibling(""));
    if (Files.exists(file)
        && !PosixFilePermissions.fromString("rw-------")
            .containsAll(Files.getPosixFilePermissions(file))) {
      throw new IOException(
          "The host key %s can be read by others. Run chmod 600 if nobody has; else delete it, and the next start makes another."
              .formatted(file));
    }
    if (!Files.exists(file)) {
      SimpleGeneratorHostKeyProvider generator = new SimpleGeneratorHostKeyProvider(file);
      generator.setAlgorithm("Ed25519");
      var _ = generator.loadKeys(null);
    }
    try {
      KeyPairProvider key = new FileKeyPairProvider(file);
      var _ = key.loadKeys(null).iterator().next();
      return key;
    } catch (GeneralSecurityException | RuntimeException e) {
      throw new IOException(
          "The host key %s isn't one without a passphrase. Delete it, and the next start makes another."
              .formatted(file),
          e);
    }
  }
}
