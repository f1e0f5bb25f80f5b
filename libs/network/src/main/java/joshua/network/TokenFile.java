package joshua.network;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import joshua.kernel.Identifiers;
import joshua.kernel.Role;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of bearer tokens (+JN-04): lines {@code sha256 client-id role}, where sha256 is the
 * token's hash in hexadecimal; blank lines and those that begin with {@code #} are ignored.
 *
 * <p>The file is reloaded while it is used, so that a token is revoked within a second. Wrong lines
 * don't affect others; a token on two different lines is invalid; an unreadable file is ignored.
 */
public final class TokenFile implements Authenticator {
  private static final Duration RELOAD_INTERVAL = Duration.ofMillis(500);
  private static final Pattern HASH = Pattern.compile("[0-9a-fA-F]{64}");
  private static final String SCHEME = "bearer ";
  private static final Logger log = LoggerFactory.getLogger(TokenFile.class);

  private record Tokens(
      String text, Map<String, Optional<Identity>> holders, List<String> faults) {}

  private final Path file;
  private final Access access;
  private final LongSupplier nanoTime;
  private final AtomicLong checkedAt;
  private volatile Tokens tokens;
  private volatile boolean readable = true;

  /**
   * Reads the file for the first time.
   *
   * @throws IOException with sentences for the user where it can't be read or has wrong lines
   */
  public TokenFile(Path file, Access access, LongSupplier nanoTime) throws IOException {
    this.file = file;
    this.access = access;
    this.nanoTime = nanoTime;
    this.checkedAt = new AtomicLong(nanoTime.getAsLong());
    try {
      this.tokens = parse(file, text(file));
    } catch (IOException e) {
      throw new IOException("The tokens file %s can't be read (%s).".formatted(file, e), e);
    }
    if (!tokens.faults().isEmpty()) {
      throw new IOException(String.join("\n", tokens.faults()));
    }
  }

  @Override
  public Optional<Identity> identity(@Nullable String authorization) {
    if (authorization == null || !authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      return Optional.empty();
    }
    String token = authorization.substring(SCHEME.length()).strip();
    return current().holders().getOrDefault(hash(token), Optional.empty());
  }

  @Override
  public Optional<String> problem() {
    var _ = current();
    return readable
        ? Optional.empty()
        : Optional.of("The tokens file can't be read; the tokens of before are in force.");
  }

  private Tokens current() {
    long before = checkedAt.get();
    long now = nanoTime.getAsLong();
    if (now - before >= RELOAD_INTERVAL.toNanos() && checkedAt.compareAndSet(before, now)) {
      reload();
    }
    return tokens;
  }

  private void reload() {
    try {
      String text = text(file);
      if (!readable || !text.equals(tokens.text())) {
        tokens = parse(file, text);
        readable = true;
        log.info("{} has changed: {} tokens are in force", file, tokens.holders().size());
        tokens.faults().forEach(fault -> log.error("{}", fault));
      }
    } catch (IOException e) {
      if (readable) {
        log.error("{} can't be read; the tokens of before are in force", file, e);
      }
      readable = false;
    }
  }

  /** Decodes leniently: what isn't UTF-8 makes only its own line wrong. */
  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), UTF_8);
  }

  private Tokens parse(Path file, String text) {
    List<String> lines = text.lines().map(String::strip).toList();
    Map<String, Optional<Identity>> holders = new HashMap<>();
    List<String> faults = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      String fault =
          line.isEmpty() || line.startsWith("#") ? null : add(line.split("\\s+"), holders);
      if (fault != null) {
        faults.add("Line %d of %s %s.".formatted(i + 1, file, fault));
      }
    }
    return new Tokens(text, holders, faults);
  }

  /** Adds the token of a line, or returns what is wrong with it. */
  private @Nullable String add(String[] words, Map<String, Optional<Identity>> holders) {
    if (words.length != 3) {
      return "has %d words; it must be: sha256 client-id role".formatted(words.length);
    }
    if (!HASH.matcher(words[0]).matches()) {
      return "doesn't begin with a SHA-256 of 64 hexadecimal digits";
    }
    if (!Identifiers.isName(words[1]) || access.isService(words[1])) {
      return "has a client id that isn't one, or is a service's; it " + Identifiers.NAME_RULE;
    }
    Optional<Role> role = Role.of(words[2]);
    if (role.isEmpty()) {
      return "has a role that is none of viewer, operator, admin";
    }
    Optional<Identity> holder = Optional.of(new Identity(Optional.of(words[1]), role.get()));
    String hash = words[0].toLowerCase(Locale.ROOT);
    boolean repeats = holders.containsKey(hash);
    holders.merge(hash, holder, (one, other) -> one.equals(other) ? one : Optional.empty());
    return repeats ? "repeats the token of an earlier line" : null;
  }

  /** The hash of a token, as the file has it. */
  public static String hash(String token) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
