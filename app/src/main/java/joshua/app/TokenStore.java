package joshua.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import joshua.kernel.KnownSettings;
import joshua.kernel.Role;
import joshua.kernel.Settings;
import joshua.kernel.TextExcerpt;
import joshua.kernel.TimedWait;

/**
 * The tokens file as an administrator edits it: lines {@code sha256 client-id role}; comments and
 * order are kept. Each change, by one process at a time, replaces the file atomically, with mode
 * 0600.
 */
record TokenStore(Path file, TimedWait pause) {
  private static final int RANDOM_BYTES = 32;
  private static final int HASH_SHOWN = 8;

  /** The tokens file that is named, else the one in the data directory. */
  static Path file(Settings settings) {
    return settings
        .find(KnownSettings.TOKENS_FILE)
        .orElseGet(() -> settings.get(KnownSettings.DATA_DIR).resolve("tokens"));
  }

  /** The same settings, with the tokens of the data directory in force. */
  static Settings inForce(Settings settings) throws UsageException {
    Optional<Path> named = settings.find(KnownSettings.TOKENS_FILE);
    if (named.isPresent()) {
      throw new UsageException(
          List.of(
              "--tokens stands for the tokens in the data directory, and %s names %s; leave one of them out"
                  .formatted(KnownSettings.TOKENS_FILE.environmentName(), named.get())));
    }
    Path file = file(settings);
    if (!Files.exists(file)) {
      throw new UsageException(
          List.of("there is no %s yet; joshua token create NAME makes it".formatted(file)));
    }
    return settings.with(KnownSettings.TOKENS_FILE, file);
  }

  /** Adds a token for {@code clientId} and returns it; only its hash is stored. */
  String create(String clientId, Role role)
      throws IOException, ServiceUnavailableException, InterruptedException {
    byte[] random = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(random);
    String token = "jt_" + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    try (FileEditLock turn = FileEditLock.at(file, pause)) {
      List<String> lines = new ArrayList<>(lines());
      lines.add("%s %s %s".formatted(sha256(token), clientId, role.word()));
      replace(turn, lines);
    }
    return token;
  }

  /** A token as it may be shown: without even its whole hash. */
  record Listed(String clientId, String role, String hashBegins) {}

  /** Every token that the file has a line for. */
  List<Listed> list() throws IOException {
    return lines().stream()
        .map(TokenStore::words)
        .filter(words -> words.length == 3)
        .map(words -> new Listed(words[1], words[2], TextExcerpt.beginning(words[0], HASH_SHOWN)))
        .toList();
  }

  /** Removes every token of {@code clientId}; returns how many. */
  int revoke(String clientId)
      throws IOException, ServiceUnavailableException, InterruptedException {
    try (FileEditLock turn = FileEditLock.at(file, pause)) {
      List<String> lines = lines();
      List<String> kept =
          lines.stream()
              .filter(line -> words(line).length != 3 || !words(line)[1].equals(clientId))
              .toList();
      if (kept.size() < lines.size()) {
        replace(turn, kept);
      }
      return lines.size() - kept.size();
    }
  }

  private List<String> lines() throws IOException {
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  /** The words of a line that holds a token; none for a comment. */
  private static String[] words(String line) {
    String stripped = line.strip();
    return stripped.startsWith("#") ? new String[0] : stripped.split("\\s+");
  }

  private static void replace(FileEditLock turn, List<String> lines) throws IOException {
    AtomicFile.replace(turn.real(), String.join("\n", lines) + "\n", AtomicFile.SECRET);
  }

  private static String sha256(String token) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
