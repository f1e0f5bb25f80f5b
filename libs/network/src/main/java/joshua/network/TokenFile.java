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
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Role;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bearer tokens in force (+JN-04): a file of lines {@code sha256 client-id role}, where sha256
 * is the token's hash in 64 hex digits; blank lines and lines that start with {@code #} don't
 * count.
 *
 * <p>A call checks the file again if the last check is at least {@link #LOOK_AGAIN} ago. Of a
 * changed file the valid lines count, and a token without one is revoked; the faults of the others
 * are logged once, and {@link #problem} reports them until they are fixed. Only if the file can't
 * be read at all do the previous tokens stay in force. State is one immutable value; the thread
 * that moves {@code lookedAt} on replaces it.
 */
public final class TokenFile implements Authenticator {
  /** How long a change of the file may stay unnoticed. */
  public static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  /** The most tokens that a file may hold. */
  public static final int MAX_TOKENS = 10_000;

  /** How many faulty lines of a changed file are named in the log. */
  private static final int TOLD = 20;

  private static final Logger log = LoggerFactory.getLogger(TokenFile.class);
  private static final Pattern HASH = Pattern.compile("[0-9a-fA-F]{64}");
  private static final String SCHEME = "bearer ";

  private record Holder(String clientId, Role role) {}

  private record Version(long modifiedMillis, long size, @Nullable Object key) {}

  /** What was read, and what was wrong with it. */
  private record Known(
      Map<String, Holder> holders, Version version, List<String> faults, long generation) {}

  private final Path file;
  private final LongSupplier nanoTime;
  private final AtomicLong lookedAt;
  private volatile Known known;
  private volatile boolean readable = true;

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
   * @throws InvalidTokenFileException if it can't be read or a line isn't right
   */
  public static TokenFile open(Path file, LongSupplier nanoTime) throws InvalidTokenFileException {
    try {
      Known known = read(file, 0);
      if (!known.faults().isEmpty()) {
        throw new InvalidTokenFileException(String.join("\n", known.faults()));
      }
      return new TokenFile(file, nanoTime, known);
    } catch (IOException e) {
      throw new InvalidTokenFileException(
          "The tokens file %s can't be read (%s). Set JOSHUA_TOKENS_FILE to a readable file."
              .formatted(file, e.getClass().getSimpleName()));
    }
  }

  @Override
  public Optional<Caller> caller(@Nullable String authorization, String connectionId) {
    if (authorization == null || !authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      return Optional.empty();
    }
    String token = authorization.substring(SCHEME.length()).strip();
    return Optional.ofNullable(inForce().holders().get(sha256(token)))
        .map(holder -> new Caller(Optional.of(holder.clientId()), holder.role(), connectionId));
  }

  @Override
  public long generation() {
    return inForce().generation();
  }

  @Override
  public Optional<String> problem() {
    Known now = inForce();
    if (!readable) {
      return Optional.of("the tokens file can't be read; the tokens that were read stay in force");
    }
    int wrong = now.faults().size();
    return wrong == 0
        ? Optional.empty()
        : Optional.of(
            "the tokens file has %d line%s that %s wrong, without effect; the log says which"
                .formatted(wrong, wrong == 1 ? "" : "s", wrong == 1 ? "is" : "are"));
  }

  private Known inForce() {
    long before = lookedAt.get();
    long now = nanoTime.getAsLong();
    if (now - before >= LOOK_AGAIN.toNanos() && lookedAt.compareAndSet(before, now)) {
      lookAgain();
    }
    return known;
  }

  private void lookAgain() {
    Known before = known;
    try {
      if (readable && version(file).equals(before.version())) {
        return;
      }
      Known after = read(file, before.generation() + 1);
      known = after;
      readable = true;
      log.info("{} has changed: {} tokens are in force", file, after.holders().size());
      if (!after.faults().isEmpty()) {
        log.error(
            "{} of its lines don't count, among them:\n{}",
            after.faults().size(),
            String.join("\n", after.faults().subList(0, Math.min(after.faults().size(), TOLD))));
      }
    } catch (IOException e) {
      if (readable) {
        log.error("{} can't be read; the tokens read before stay in force", file, e);
      }
      readable = false;
    }
  }

  private static Known read(Path file, long generation) throws IOException {
    Version version = version(file);
    // What isn't UTF-8 makes its own line wrong, and no other.
    List<String> lines = new String(Files.readAllBytes(file), UTF_8).lines().toList();
    Map<String, Holder> holders = new HashMap<>();
    Set<String> ambiguous = new HashSet<>();
    List<String> faults = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        String fault = add(holders, ambiguous, line.split("\\s+"));
        if (fault != null) {
          faults.add("Line %d of %s %s.".formatted(i + 1, file, fault));
        }
      }
    }
    holders.keySet().removeAll(ambiguous);
    return new Known(Map.copyOf(holders), version, List.copyOf(faults), generation);
  }

  /** Adds the entry of a line, or returns what is wrong with it. */
  private static @Nullable String add(
      Map<String, Holder> holders, Set<String> ambiguous, String[] words) {
    if (words.length != 3) {
      return "has %d words; it must be: sha256 client-id role".formatted(words.length);
    }
    if (!HASH.matcher(words[0]).matches()) {
      return "does not start with a SHA-256 of 64 hex digits (printf %s TOKEN | sha256sum)";
    }
    if (!BusIdentifiers.isIdentifier(words[1])) {
      return "has a client id that is none: it " + BusIdentifiers.IDENTIFIER_RULE;
    }
    Optional<Role> role =
        Arrays.stream(Role.values())
            .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(words[2]))
            .findFirst();
    if (role.isEmpty()) {
      return "has a role that is none of viewer, operator, admin";
    }
    if (holders.size() >= MAX_TOKENS) {
      return "is one more than the %d tokens that there may be".formatted(MAX_TOKENS);
    }
    Holder holder = new Holder(words[1], role.get());
    String hash = words[0].toLowerCase(Locale.ROOT);
    Holder earlier = holders.putIfAbsent(hash, holder);
    if (earlier == null) {
      return null;
    }
    if (!earlier.equals(holder)) {
      ambiguous.add(hash);
    }
    return "repeats the token of an earlier line";
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

  /** The tokens file is invalid; the message names every faulty line. */
  public static final class InvalidTokenFileException extends Exception {
    private static final long serialVersionUID = 1L;

    private InvalidTokenFileException(String message) {
      super(message);
    }
  }
}
