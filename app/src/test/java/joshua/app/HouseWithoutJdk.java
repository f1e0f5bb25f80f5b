package joshua.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import joshua.testing.TestRequirements;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * An installation without a JDK, for {@code ./joshua init}. Every program that it calls records its
 * arguments, which every user of the machine could see.
 */
abstract class HouseWithoutJdk {
  static final List<String> MADE =
      List.of(
          ".env",
          "configs/redis/users.acl",
          "configs/secrets/admin.token",
          "configs/secrets/admin_ssh_key",
          "configs/secrets/metrics.token",
          "configs/secrets/redis-fiedler.password",
          "configs/secrets/redis-grace.password",
          "configs/secrets/redis-guest.password",
          "configs/secrets/redis-rogers.password",
          "configs/secrets/ssh/authorized_keys",
          "configs/secrets/clients/tokens");
  static final List<String> USERS = List.of("grace", "fiedler", "rogers", "guest");
  static final List<String> PROGRAMS =
      List.of(
          "cat",
          "chown",
          "cut",
          "grep",
          "id",
          "ln",
          "ls",
          "mkdir",
          "od",
          "rm",
          "rmdir",
          "sha256sum",
          "tr",
          "wc");

  static final int INSTEAD_OF_ROOT = 10_001;
  static final String ACL = "configs/redis/users.acl";

  @TempDir Path temp;
  Path home;
  Path programs;

  record Outcome(int status, String out, String err) {}

  @BeforeEach
  void makeHouse() throws Exception {
    home = Files.createDirectories(temp.resolve("the house's place"));
    Files.createDirectory(home.resolve("configs"));
    script(home.resolve("joshua"), Files.readString(Path.of("../joshua")));
    Files.copy(Path.of("../configs/init.sh"), home.resolve("configs/init.sh"));
    programs = Files.createDirectory(temp.resolve("programs"));
    for (String program : PROGRAMS) {
      install(program);
    }
    install("ssh-keygen");
  }

  void install(String program) throws IOException {
    Path real = TestRequirements.program(program, "apt-get install coreutils openssh-client");
    script(
        programs.resolve(program),
        "#!/bin/sh\necho %s \"$@\" >>'%s'\nexec %s \"$@\"\n"
            .formatted(program, temp.resolve("calls"), real));
  }

  static void script(Path file, String content) throws IOException {
    Files.writeString(file, content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  Process start(String... args) throws IOException {
    return start(List.of(), args);
  }

  Process start(List<String> by, String... args) throws IOException {
    List<String> command = new ArrayList<>(by);
    command.addAll(List.of(home.resolve("joshua").toString(), "init"));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).directory(temp.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", programs.toString());
    return builder.start();
  }

  Outcome init(String... args) throws Exception {
    return outcome(start(args));
  }

  static Outcome outcome(Process process) throws Exception {
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
    return new Outcome(process.waitFor(), out, err);
  }

  String content(String file) throws IOException {
    return Files.readString(home.resolve(file));
  }

  String password(String user) throws IOException {
    return content("configs/secrets/redis-" + user + ".password").strip();
  }

  int ownerOf(String file) throws IOException {
    return (int) Files.getAttribute(home.resolve(file), "unix:uid");
  }

  /** The owner of the secrets: the user that runs this, unless that is root. */
  int owner() throws IOException {
    int uid = ownerOf("joshua");
    return uid == 0 ? INSTEAD_OF_ROOT : uid;
  }

  static String sha256(String text) throws Exception {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    return HexFormat.of().formatHex(digest);
  }

  /** The files that init has created, by name. */
  Map<String, String> made() throws IOException {
    Map<String, String> made = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(home)) {
      for (Path file : walk.filter(Files::isRegularFile).toList()) {
        made.put(home.relativize(file).toString(), Files.readString(file));
      }
    }
    made.keySet().removeAll(List.of("joshua", "configs/init.sh"));
    return made;
  }
}
