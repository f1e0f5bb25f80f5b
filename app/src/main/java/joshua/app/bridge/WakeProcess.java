package joshua.app.bridge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import joshua.kernel.PrivateFile;
import joshua.kernel.UnicodeText;

/**
 * The process of a wake. It outlives a runner that is killed: so it prints to a file, and a file
 * beside that says which process it is, by which the next runner finds it.
 */
final class WakeProcess implements AutoCloseable {
  private static final int MAX_LINE = 200;
  private static final int EXCERPT = 4_096;
  private static final long MAX_LOG_BYTES = 10L * 1024 * 1024;
  private static final long END_WITHIN_SECONDS = 3;

  /** Says which process it is before it is one: a runner may be killed at any time. */
  private static final String START = "echo $$ >\"$1\" && shift && exec \"$@\"";

  /** By which a process may have begun before it said so. */
  private static final Duration START_WITHIN = Duration.ofSeconds(10);

  private final Process process;
  private final Path identity;
  private final Path log;
  private final Set<ProcessHandle> below = ConcurrentHashMap.newKeySet();
  private final Thread copying;

  private WakeProcess(Process process, Path identity, Path log, OutputStream to) {
    this.process = process;
    this.identity = identity;
    this.log = log;
    this.copying = Thread.startVirtualThread(() -> copy(to));
  }

  private static Path identity(Path base) {
    return Path.of(base + ".pid");
  }

  /**
   * Starts a process.
   *
   * @param base begins the names of its files, {@code .pid} and {@code .log}
   * @param to gets what it prints
   */
  static WakeProcess start(ProcessBuilder command, Path base, OutputStream to) throws IOException {
    Path log = Path.of(base + ".log");
    Path identity = identity(base);
    PrivateFile.write(log, "");
    PrivateFile.write(identity, "");
    List<String> words = new ArrayList<>(List.of("sh", "-c", START, "joshua", identity.toString()));
    words.addAll(command.command());
    Process process =
        command
            .command(words)
            .redirectInput(Redirect.from(new File("/dev/null")))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()))
            .start();
    return new WakeProcess(process, identity, log, to);
  }

  /** The process of a runner that was killed, if it still runs. */
  static Optional<ProcessHandle> find(Path base) throws IOException {
    Path identity = identity(base);
    String id = Files.exists(identity) ? Files.readString(identity).strip() : "";
    if (!id.matches("[0-9]{1,18}")) {
      return Optional.empty();
    }
    Instant written = Files.getLastModifiedTime(identity).toInstant();
    return ProcessHandle.of(Long.parseLong(id))
        .filter(found -> found.info().command().isPresent()) // else it is dead or a zombie
        .filter(found -> Duration.between(began(found), written).abs().compareTo(START_WITHIN) < 0);
  }

  static Instant began(ProcessHandle process) {
    return process.info().startInstant().orElse(Instant.EPOCH);
  }

  /** Waits for its status. */
  Optional<Integer> awaitStatus(long seconds) throws InterruptedException {
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      return Optional.empty();
    }
    var _ = copying.join(Duration.ofSeconds(END_WITHIN_SECONDS)); // longer if nobody reads
    return Optional.of(process.exitValue());
  }

  /** Copies what it prints, each second, and begins the file anew where that is too large. */
  private void copy(OutputStream to) {
    try (FileChannel printed = FileChannel.open(log, READ, WRITE)) {
      boolean hasEnded;
      do {
        process.descendants().forEach(below::add);
        hasEnded = process.waitFor(1, TimeUnit.SECONDS);
        long at = printed.position();
        printed.position(at + printed.transferTo(at, MAX_LOG_BYTES, Channels.newChannel(to)));
        to.flush();
        if (printed.size() > MAX_LOG_BYTES) {
          printed.truncate(0);
        }
      } while (!hasEnded);
    } catch (IOException | InterruptedException e) {
      // the file has it
    }
  }

  /** The last line that it has printed, of those about errors if there are any; may be empty. */
  String lastLine() throws IOException {
    String end;
    try (FileChannel printed = FileChannel.open(log)) {
      printed.position(Math.max(0, printed.size() - EXCERPT));
      end = new String(Channels.newInputStream(printed).readAllBytes(), UTF_8);
    }
    return end.replaceAll("\\e\\[[0-9;?]*[A-Za-z]", "") // colours
        .lines()
        .map(line -> line.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", "").strip())
        .filter(line -> !line.isEmpty())
        .map(line -> UnicodeText.truncate(line, MAX_LINE))
        .reduce("", (last, line) -> isError(last) && !isError(line) ? last : line);
  }

  private static boolean isError(String line) {
    return line.toLowerCase(Locale.ROOT).contains("error");
  }

  @Override
  public void close() throws IOException {
    end();
    Files.deleteIfExists(identity);
  }

  /** Ends it, and what it has started; that may outlive it only where it ended well. */
  void end() {
    boolean endedWell = !process.isAlive() && process.exitValue() == 0;
    end(process.toHandle(), endedWell ? Set.of() : below);
  }

  /** Ends a process, all below it and others, by force if they don't end soon. */
  static void end(ProcessHandle process, Set<ProcessHandle> others) {
    List<ProcessHandle> all =
        Stream.of(process.descendants(), Stream.of(process), others.stream())
            .flatMap(each -> each)
            .toList();
    all.forEach(ProcessHandle::destroy);
    CompletableFuture.allOf(
            all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
        .completeOnTimeout(null, END_WITHIN_SECONDS, TimeUnit.SECONDS)
        .join();
    all.forEach(ProcessHandle::destroyForcibly);
  }
}
