package joshua.app.bridge;

import static java.nio.charset.StandardCharsets.UTF_8;

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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
  private static final long END_WITHIN_SECONDS = 3;

  /** Says which process it is before it is one: a runner may be killed at any time. */
  private static final String START = "echo $$ >\"$0\" && exec \"$@\"";

  /** By which a process may have begun before it said so. */
  private static final Duration START_WITHIN = Duration.ofSeconds(10);

  private final Process process;
  private final Path identity;
  private final FileChannel output;

  private WakeProcess(Process process, Path identity, FileChannel output) {
    this.process = process;
    this.identity = identity;
    this.output = output;
  }

  /**
   * Starts a process.
   *
   * @param identity says then which one it is; its output is in {@code .log} beside that
   */
  static WakeProcess start(ProcessBuilder command, Path identity) throws IOException {
    Path log = Path.of(identity + ".log");
    PrivateFile.write(log, "");
    PrivateFile.write(identity, "");
    List<String> words = new ArrayList<>(List.of("sh", "-c", START, identity.toString()));
    words.addAll(command.command());
    Process process =
        command
            .command(words)
            .redirectInput(Redirect.from(new File("/dev/null")))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()))
            .start();
    return new WakeProcess(process, identity, FileChannel.open(log));
  }

  /** The process of a runner that was killed, if it still runs. */
  static Optional<ProcessHandle> find(Path identity) throws IOException {
    String id = Files.exists(identity) ? Files.readString(identity).strip() : "";
    if (id.isEmpty()) {
      return Optional.empty();
    }
    Instant written = Files.getLastModifiedTime(identity).toInstant();
    return ProcessHandle.of(Long.parseLong(id))
        .filter(ProcessHandle::isAlive)
        .filter(found -> Duration.between(began(found), written).abs().compareTo(START_WITHIN) < 0);
  }

  static Instant began(ProcessHandle process) {
    return process.info().startInstant().orElse(Instant.EPOCH);
  }

  /** Waits for its status, and copies what it prints meanwhile. */
  Optional<Integer> awaitStatus(long seconds, OutputStream to)
      throws IOException, InterruptedException {
    boolean hasEnded = process.waitFor(seconds, TimeUnit.SECONDS);
    Channels.newInputStream(output).transferTo(to);
    to.flush();
    return hasEnded ? Optional.of(process.exitValue()) : Optional.empty();
  }

  /** The last line that it has printed, shortened and without control characters; may be empty. */
  String lastLine() throws IOException {
    output.position(Math.max(0, output.size() - EXCERPT));
    return new String(Channels.newInputStream(output).readAllBytes(), UTF_8)
        .replaceAll("\\e\\[[0-9;?]*[A-Za-z]", "") // colours
        .lines()
        .map(line -> line.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", "").strip())
        .filter(line -> !line.isEmpty())
        .reduce("", (_, last) -> UnicodeText.truncate(last, MAX_LINE));
  }

  @Override
  public void close() throws IOException {
    end();
    output.close();
    Files.deleteIfExists(identity);
  }

  /** Ends it, and what it has started; that may outlive it only where it ends by itself. */
  void end() {
    end(process.toHandle());
  }

  /** Ends a process and all below it, by force if they don't end soon. */
  static void end(ProcessHandle process) {
    List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process)).toList();
    all.forEach(ProcessHandle::destroy);
    CompletableFuture.allOf(
            all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
        .completeOnTimeout(null, END_WITHIN_SECONDS, TimeUnit.SECONDS)
        .join();
    all.forEach(ProcessHandle::destroyForcibly);
  }
}
