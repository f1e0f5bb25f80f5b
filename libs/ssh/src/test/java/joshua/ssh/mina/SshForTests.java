package joshua.ssh.mina;

import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import joshua.kernel.ClockSources;
import joshua.kernel.TimedWait;
import joshua.ssh.AuditLog;
import joshua.ssh.AuthorizedKeysLocation;
import joshua.ssh.CommandHost;
import joshua.ssh.KeysForTests;
import joshua.testing.ManualTime;
import joshua.testing.TestRequirements;

/** A listener with small verbs, real keys, and OpenSSH's own client for it. */
final class SshForTests implements AutoCloseable {
  /** The result of a run of {@code ssh}. */
  record Result(int status, String out, String err) {
    String all() {
      return out + err;
    }
  }

  final VerbsForTests verbs = new VerbsForTests();
  final List<AuditLog.Entry> audited = new CopyOnWriteArrayList<>();
  final ManualTime time = new ManualTime(Instant.parse("2026-03-01T12:00:00Z"));
  final Path directory;
  final Path authorizedKeys;
  final Path client;
  private final List<Process> processes = new CopyOnWriteArrayList<>();
  private final SshListener listener;

  SshForTests(Path directory, String... lines) throws Exception {
    this(directory, (host, adminCaller, terminal) -> 0, lines);
  }

  SshForTests(Path directory, ShellSession shell, String... lines) throws Exception {
    this(directory, TimedWait.system(), shell, lines);
  }

  SshForTests(Path directory, TimedWait timedWait, ShellSession shell, String... lines)
      throws Exception {
    this.client = TestRequirements.program("ssh", "apt-get install openssh-client");
    this.directory = directory;
    this.authorizedKeys = directory.resolve("authorized_keys");
    authorize(lines);
    this.listener =
        SshListener.start(
            config(0),
            new CommandHost("rogers", verbs.all(), audited::add, time),
            shell,
            audited::add,
            clocks(timedWait));
  }

  ClockSources clocks(TimedWait timedWait) {
    return new ClockSources(time, time::nanoTime, timedWait);
  }

  SshConfig config(int port) {
    return new SshConfig(
        InetAddress.getLoopbackAddress(),
        port,
        "JOSHUA_ROGERS_SSH_PORT",
        AuthorizedKeysLocation.named(authorizedKeys),
        directory.resolve(SshConfig.HOST_KEY));
  }

  /** Generates a key pair and returns the public key as a line of the file. */
  static String key(Path directory, String name, String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of(options));
    if (all.isEmpty()) {
      all.addAll(List.of("-t", "ed25519"));
    }
    return KeysForTests.make(directory.resolve(name), name, all.toArray(String[]::new));
  }

  /** Replaces the whole file. */
  void authorize(String... lines) throws IOException {
    Path fresh = directory.resolve("authorized_keys.new");
    Files.writeString(fresh, String.join("\n", lines) + "\n");
    Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-r--r--"));
    Files.move(
        fresh, authorizedKeys, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  SshListener listener() {
    return listener;
  }

  int port() {
    return listener.port().orElseThrow();
  }

  /** Starts {@code ssh} with that key; options precede the host name, the command follows it. */
  Process start(String key, List<String> options, String... command) throws IOException {
    Process process = new ProcessBuilder(words(key, options, command)).start();
    processes.add(process);
    return process;
  }

  /** The command line of {@code ssh}. */
  List<String> words(String key, List<String> options, String... command) {
    List<String> words =
        new ArrayList<>(
            List.of(
                client.toString(),
                "-F",
                "none",
                "-i",
                directory.resolve(key).toString(),
                "-p",
                Integer.toString(port())));
    words.addAll(options);
    for (String option :
        List.of(
            "IdentitiesOnly=yes",
            "IdentityAgent=none",
            "BatchMode=yes",
            "StrictHostKeyChecking=no",
            "UserKnownHostsFile=/dev/null",
            "LogLevel=INFO",
            "ConnectTimeout=30")) {
      words.addAll(List.of("-o", option));
    }
    if (!options.contains("-l")) {
      words.addAll(List.of("-l", "mad"));
    }
    words.add("127.0.0.1");
    words.addAll(List.of(command));
    return words;
  }

  Result ssh(String key, String... command) throws Exception {
    return with(key, List.of(), "", command);
  }

  /** Runs {@code ssh} to its end, with this standard input. */
  Result with(String key, List<String> options, String input, String... command) throws Exception {
    Process process = start(key, options, command);
    process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();
    return end(process);
  }

  static Result end(Process process) throws Exception {
    CompletableFuture.runAsync(
        process::destroyForcibly, CompletableFuture.delayedExecutor(60, TimeUnit.SECONDS));
    CompletableFuture<String> err =
        CompletableFuture.supplyAsync(() -> text(process.errorReader(StandardCharsets.UTF_8)));
    String out = text(process.inputReader(StandardCharsets.UTF_8));
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("ssh hasn't ended");
    }
    return new Result(process.exitValue(), out, err.get(60, TimeUnit.SECONDS));
  }

  private static String text(Reader reader) {
    StringBuilder text = new StringBuilder();
    char[] buffer = new char[8192];
    try {
      for (int n = reader.read(buffer); n >= 0; n = reader.read(buffer)) {
        text.append(buffer, 0, n);
      }
    } catch (IOException e) {
      text.append(e);
    }
    return text.toString();
  }

  List<AuditLog.Entry> audited(AuditLog.Action action) {
    return audited.stream().filter(entry -> entry.action() == action).toList();
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
    listener.close();
  }
}
