package joshua.network;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import joshua.kernel.Ids;
import joshua.kernel.Role;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bearer tokens in force (+JN-04): a file of lines {@code sha256 client-id role}, where sha256
 * is the token's hash in 64 hex digits; blank lines and lines that start with {@code #} don't
 * count.
 *
 * <p>The file is looked at again at most every {@link #LOOK_AGAIN}, by whoever calls then. A
 * changed file that can't be read or has faults is reported in the log, and the tokens read before
 * stay in force. State is one immutable value; whoever moves {@code lookedAt} on replaces it.
 */
public final class TokenFile implements Authenticator {
  /** How long a change of the file may stay unnoticed. */
  public static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  /** The most tokens that a file may hold. */
  public static final int MAX_TOKENS = 10_000;

  private static final Logger log = LoggerFactory.getLogger(TokenFile.class);
  private static final Pattern HASH = Pattern.compile("[0-9a-fA-F]{64}");
  private static final String SCHEME = "bearer ";

  private record Holder(String clientId, Role role) {}

  private record Version(long modifiedMillis, long size, @Nullable Object key) {}

  private record Known(Map<String, Holder> holders, Version version) {}

  private final Path file;
  private final LongSupplier nanoTime;
  private final AtomicLong lookedAt;
  private volatile Known known;

  private TokenFile(Path file, LongSupplier nanoTime, Known known) {
    this.file = file;
    this.nanoTime = nanoTime;
    this.known = known;
    this.lookedAt = new AtomicLong(nanoTime.getAsLong());
  }

  /**
   * Reads the file for the first time.
   *
   * @param nanoTime a clock like {@link System#nanoTime}
   * @throws Faulty if it can't be read or a line isn't right
   */
  public static TokenFile open(Path file, LongSupplier nanoTime) throws Faulty {
    return new TokenFile(file, nanoTime, read(file));
  }

  @Override
  public Optional<Caller> caller(@Nullable String authorization, String connectionId) {
    if (authorization == null || !authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      return Optional.empty();
    }
    String token = authorization.substring(SCHEME.length()).strip();
    return Optional.ofNullable(inForce().get(sha256(token)))
        .map(holder -> new Caller(Optional.of(holder.clientId()), holder.role(), connectionId));
  }

  private Map<String, Holder> inForce() {
    long before = lookedAt.get();
    long now = nanoTime.getAsLong();
    if (now - before >= LOOK_AGAIN.toNanos() && lookedAt.compareAndSet(before, now)) {
      lookAgain();
    }
    return known.holders();
  }

  private void lookAgain() {
    Known before = known;
    try {
      if (!version(file).equals(before.version())) {
        Known after = read(file);
        known = after;
        log.info("{} has changed: {} tokens are in force", file, after.holders().size());
      }
    } catch (IOException e) {
      log.error("{} can't be read; the tokens read before stay in force", file, e);
    } catch (Faulty e) {
      // Remembers the version, so that the faults are reported once and not every second.
      known = new Known(before.holders(), e.version());
      log.error("{}\nThe tokens read before stay in force.", e.getMessage());
    }
  }

  private static Known read(Path file) throws Faulty {
    Version version = new Version(0, 0, null);
    List<String> lines;
    try {
      version = version(file);
      lines = Files.readAllLines(file, UTF_8);
    } catch (IOException e) {
      throw new Faulty(
          "The tokens file %s can't be read (%s). Set JOSHUA_TOKENS_FILE to a readable file."
              .formatted(file, e.getClass().getSimpleName()),
          version);
    }
    Map<String, Holder> holders = new HashMap<>();
    List<String> faults = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        String fault = add(holders, line.split("\\s+"));
        if (fault != null) {
          faults.add("Line %d of %s %s.".formatted(i + 1, file, fault));
        }
      }
    }
    if (holders.size() > MAX_TOKENS) {
      faults.add("%s holds more than %d tokens.".formatted(file, MAX_TOKENS));
    }
    if (!faults.isEmpty()) {
      throw new Faulty(String.join("\n", faults), version);
    }
    return new Known(Map.copyOf(holders), version);
  }

  /** Adds what the words of a line say, or tells what is wrong with them. */
  private static @Nullable String add(Map<String, Holder> holders, String[] words) {
    if (words.length != 3) {
      return "has %d words; it must be: sha256 client-id role".formatted(words.length);
    }
    if (!HASH.matcher(words[0]).matches()) {
      return "does not start with a SHA-256 of 64 hex digits (printf %s TOKEN | sha256sum)";
    }
    if (!Ids.isIdentifier(words[1])) {
      return "has a client id that is none: it " + Ids.IDENTIFIER_RULE;
    }
    Optional<Role> role =
        Arrays.stream(Role.values())
            .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(words[2]))
            .findFirst();
    if (role.isEmpty()) {
      return "has a role that is none of viewer, operator, admin";
    }
    Holder holder = new Holder(words[1], role.get());
    return holders.put(words[0].toLowerCase(Locale.ROOT), holder) == null
        ? null
        : "repeats the token of an earlier line";
  }

  private static Version version(Path file) throws IOException {
    var attributes = Files.readAttributes(file, BasicFileAttributes.class);
    return new Version(
        attributes.lastModifiedTime().toMillis(), attributes.size(), attributes.fileKey());
  }

  private static String sha256(String token) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** A tokens file that can't be gone by; the message names every faulty line. */
  public static final class Faulty extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Version version;

    private Faulty(String message, Version version) {
      super(message);
      this.version = version;
    }

    private Version version() {
      return version;
    }
  }
}
