package joshua.ssh.mina;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.util.Iterator;
import java.util.Set;
import org.apache.sshd.common.NamedResource;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.jspecify.annotations.Nullable;

/**
 * The key by which clients identify a MAD: ed25519, generated at the first start, in a file of
 * OpenSSH's format that only its owner can read.
 */
final class HostKey {
  private static final int MAX_BYTES = 64 * 1024;
  private static final int ED25519_BITS = 256;
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> OWNERS_DIRECTORY =
      PosixFilePermissions.fromString("rwx------");

  private HostKey() {}

  /** Reads the key from this file; generates it if there is none. */
  static KeyPair open(Path file) throws IOException {
    try {
      return read(file);
    } catch (NoSuchFileException e) {
      make(file);
      return read(file);
    }
  }

  private static KeyPair read(Path file) throws IOException {
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
    if (!OWNER_ONLY.containsAll(permissions)) {
      throw new IOException(
          "The host key %s can be read by others. If nobody has read it, do: chmod 600 %s; if not, delete it, and the next start makes another"
              .formatted(file, file));
    }
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_BYTES);
    }
    try {
      Iterable<KeyPair> pairs =
          SecurityUtils.loadKeyPairIdentities(
              null, NamedResource.ofName(file.toString()), new ByteArrayInputStream(bytes), null);
      Iterator<KeyPair> pair = pairs == null ? null : pairs.iterator();
      if (pair != null && pair.hasNext()) {
        KeyPair found = pair.next();
        if (KeyPairProvider.SSH_ED25519.equals(KeyUtils.getKeyType(found))) {
          return found;
        }
      }
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      throw unreadable(file, e);
    }
    throw unreadable(file, null);
  }

  private static IOException unreadable(Path file, @Nullable Exception cause) {
    return new IOException(
        "The host key %s isn't an ed25519 key without a passphrase. Restore it, or delete it, and the next start makes another"
            .formatted(file),
        cause);
  }

  /** Written under another name first, so that half a key is never found under its own. */
  private static void make(Path file) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      KeyPair pair = KeyUtils.generateKeyPair(KeyPairProvider.SSH_ED25519, ED25519_BITS);
      OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(pair, "joshua", null, text);
    } catch (GeneralSecurityException e) {
      throw new IOException("A host key can't be made", e);
    }
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null && !Files.isDirectory(directory)) {
      Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(OWNERS_DIRECTORY));
    }
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    Files.createFile(fresh, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    Files.write(fresh, text.toByteArray());
    try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
