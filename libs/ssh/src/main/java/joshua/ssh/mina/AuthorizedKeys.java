package joshua.ssh.mina;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.kernel.Identifiers;
import joshua.kernel.Role;
import joshua.network.Access;
import org.apache.sshd.common.config.keys.AuthorizedKeyEntry;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.PublicKeyEntryResolver;

/**
 * The authorized keys of a file in OpenSSH's format (REQ-JS-06). A key's role is in the option
 * {@code environment="JOSHUA_ROLE=operator"}, else viewer; its name is its comment, if that is a
 * valid name.
 *
 * @param faults of other lines, in sentences
 */
public record AuthorizedKeys(List<AuthorizedKey> keys, List<String> faults) {
  static final AuthorizedKeys NONE = new AuthorizedKeys(List.of(), List.of());

  private static final String ROLE = "JOSHUA_ROLE=";
  private static final int MIN_RSA_BITS = 2_048;
  private static final int NAME_END = 19; // in a fingerprint: "SHA256:" and 12 more
  private static final Pattern TYPES =
      Pattern.compile("ssh-ed25519|ecdsa-sha2-nistp(256|384|521)|ssh-rsa");

  /** Enforced options; those that forbid what is never allowed here need no code. */
  private static final Pattern OPTIONS =
      Pattern.compile("environment|expiry-time|from|no-((agent|port|X11|x11)-forwarding|user-rc)");

  private static final Set<PosixFilePermission> OTHERS_WRITE =
      PosixFilePermissions.fromString("----w--w-");

  /** A key that may log in, and its line in the file. */
  public record AuthorizedKey(
      String name, Role role, PublicKey publicKey, AuthorizedKeyEntry entry, String line) {
    /** As {@code ssh-keygen -l} shows it, {@code SHA256:…}. */
    public String fingerprint() {
      return KeyUtils.getFingerPrint(publicKey);
    }

    /** A line that gives the key a role, and another name if {@code called} has one. */
    public String line(Role as, Optional<String> called) {
      String restrictions =
          entry.getLoginOptions().entrySet().stream()
              .filter(option -> !option.getKey().equals("environment"))
              .map(option ->
                  option.getValue().equals("true")
                      ? "," + option.getKey()
                      : ",%s=\"%s\"".formatted(option.getKey(), option.getValue()))
              .collect(Collectors.joining());
      return "environment=\"%s%s\"%s %s %s"
          .formatted(
              ROLE,
              as.word(),
              restrictions,
              PublicKeyEntry.toString(publicKey),
              called.orElse(Objects.toString(entry.getComment(), "")))
          .strip();
    }

    boolean is(PublicKey other) {
      return KeyUtils.compareKeys(publicKey, other);
    }
  }

  /** Reads a file, if it exists; an exception's message says to the user why it is refused. */
  public static AuthorizedKeys read(Path file, Access access) throws IOException {
    try {
      Path real = file.toRealPath();
      if (!Files.isRegularFile(real)) {
        throw new IOException("%s isn't a file, so no key counts.".formatted(file));
      }
      check(real);
      check(real.resolveSibling(""));
      String text = new String(Files.readAllBytes(real), StandardCharsets.UTF_8);
      return parse(file.toString(), text, access);
    } catch (NoSuchFileException e) {
      return NONE;
    } catch (java.nio.file.FileSystemException e) {
      throw new IOException("%s can't be read (%s).".formatted(file, e), e);
    }
  }

  /** Refuses files that others than this user and root can change. */
  private static void check(Path path) throws IOException {
    if (Files.getPosixFilePermissions(path).stream().anyMatch(OTHERS_WRITE::contains)) {
      throw new IOException(
          "%s can be written by others, so no key counts. Run: chmod go-w %s"
              .formatted(path, path));
    }
    int owner = (int) Files.getAttribute(path, "unix:uid");
    if (owner != 0 && owner != new UnixSystem().getUid()) {
      throw new IOException(
          "%s belongs to another user (%d), so no key counts. Run: chown %d %s"
              .formatted(path, owner, new UnixSystem().getUid(), path));
    }
  }

  /** Parses the text of a file; a wrong line becomes a fault, and doesn't affect the others. */
  static AuthorizedKeys parse(String file, String text, Access access) {
    List<AuthorizedKey> keys = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      try {
        key(lines.get(i), access).ifPresent(keys::add);
      } catch (IllegalArgumentException e) {
        faults.add("Line %d of %s doesn't count: %s".formatted(i + 1, file, e.getMessage()));
      }
    }
    return new AuthorizedKeys(List.copyOf(keys), List.copyOf(faults));
  }

  /** Parses a line, if it is no comment; an exception says why its key is refused. */
  public static Optional<AuthorizedKey> key(String line, Access access) {
    if (line.isBlank() || line.strip().startsWith("#")) {
      return Optional.empty();
    }
    AuthorizedKeyEntry entry;
    PublicKey publicKey;
    try {
      entry = AuthorizedKeyEntry.parseAuthorizedKeyEntry(line);
      publicKey = entry.resolvePublicKey(null, PublicKeyEntryResolver.FAILING);
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      throw new IllegalArgumentException(
          "it must be [options] type key [comment], the latter as in a .pub file.", e);
    }
    if (!TYPES.matcher(entry.getKeyType()).matches()) {
      throw new IllegalArgumentException("only ed25519, ECDSA and RSA keys are taken.");
    }
    if (entry.getKeyType().equals("ssh-rsa") && KeyUtils.getKeySize(publicKey) < MIN_RSA_BITS) {
      throw new IllegalArgumentException("an RSA key needs %d bits.".formatted(MIN_RSA_BITS));
    }
    for (String option : entry.getLoginOptions().keySet()) {
      if (!OPTIONS.matcher(option).matches()) {
        throw new IllegalArgumentException(
            "the option %s can't be kept to here.".formatted(option.replaceFirst("[= ].*", "")));
      }
    }
    return Optional.of(
        new AuthorizedKey(name(entry, publicKey, access), role(entry), publicKey, entry, line));
  }

  private static Role role(AuthorizedKeyEntry entry) {
    String environment = entry.getLoginOptions().getOrDefault("environment", "");
    List<String> roles =
        Stream.of(environment.split(",", -1)).filter(each -> each.startsWith(ROLE)).toList();
    if (roles.isEmpty()) {
      return Role.VIEWER;
    }
    return Stream.of(Role.values())
        .filter(role -> roles.equals(List.of(ROLE + role.word())))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException("JOSHUA_ROLE must be one of viewer, operator and admin."));
  }

  private static String name(AuthorizedKeyEntry entry, PublicKey publicKey, Access access) {
    String name = Objects.toString(entry.getComment(), "").strip().replace('@', '.');
    return Identifiers.isName(name) && !access.isService(name)
        ? name
        : "key-"
            + KeyUtils.getFingerPrint(publicKey)
                .substring("SHA256:".length(), NAME_END)
                .replaceAll("[^A-Za-z0-9]", "-");
  }
}
