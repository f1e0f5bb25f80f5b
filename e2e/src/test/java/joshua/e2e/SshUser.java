package joshua.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A user with a key and OpenSSH's {@code ssh}, and nothing else.
 *
 * @param key the private key
 */
record SshUser(TestEnvironment stage, Path key) {

  /** Creates a key, with a name as its comment. */
  static SshUser named(TestEnvironment environment, String name) {
    Path key = environment.path().resolve(name + "-key");
    ProgramRun made =
        environment.program(
            List.of(
                "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", key.toString()));
    if (made.exitStatus() != 0) {
      throw new AssertionError(made.toString());
    }
    return new SshUser(environment, key);
  }

  /** Its line for {@code authorized_keys}. */
  String line(String options) {
    try {
      String line = Files.readString(Path.of(key + ".pub")).strip();
      return options.isEmpty() ? line + "\n" : options + " " + line + "\n";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds it to the file. */
  SshUser allowedBy(Path authorizedKeys, String options) {
    try {
      Files.writeString(
          authorizedKeys, line(options), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@code ssh mad@127.0.0.1 words…}, ended. */
  ProgramRun ssh(int port, String... words) {
    ProgramRun programRun = start(port, List.of(), words);
    programRun.exitStatus();
    return programRun;
  }

  /** The same with options of {@code ssh}, under way. */
  ProgramRun start(int port, List<String> options, String... words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "ssh",
                "-F",
                "none",
                "-p",
                String.valueOf(port),
                "-i",
                key.toString(),
                "-o",
                "IdentitiesOnly=yes",
                "-o",
                "IdentityAgent=none",
                "-o",
                "BatchMode=yes",
                "-o",
                "StrictHostKeyChecking=accept-new",
                "-o",
                "UserKnownHostsFile=" + stage.path().resolve("known_hosts"),
                "-o",
                "LogLevel=ERROR"));
    command.addAll(options);
    command.add("mad@127.0.0.1");
    command.addAll(List.of(words));
    return stage.program(command);
  }
}
