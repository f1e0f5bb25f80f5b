package joshua.ssh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Real keys, made by OpenSSH's {@code ssh-keygen}. */
public final class KeysForTests {
  private KeysForTests() {}

  /** Makes a pair; its private half is in {@code file}, its public one in {@code file.pub}. */
  public static String make(Path file, String comment, String... options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("ssh-keygen", "-q", "-N", "", "-C", comment));
    command.addAll(List.of(options));
    command.addAll(List.of("-f", file.toString()));
    run(command);
    return Files.readString(Path.of(file + ".pub")).strip();
  }

  /** What {@code ssh-keygen -l} says of a file: bits, fingerprint, comment, type. */
  public static String[] describe(Path file) throws IOException, InterruptedException {
    return run(List.of("ssh-keygen", "-l", "-f", file.toString())).strip().split(" ");
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes());
    if (process.waitFor() != 0) {
      throw new IOException(command + ": " + said);
    }
    return said;
  }
}
