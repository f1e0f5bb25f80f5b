package joshua.app.container;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import joshua.app.redis.RedisPassword;
import joshua.app.redis.RedisUser;
import joshua.app.settings.ConsoleCommand;
import joshua.kernel.PrivateFile;
import joshua.kernel.Role;
import joshua.network.TokenFile;
import joshua.service.ServiceDescriptor;
import joshua.ssh.ExitStatus;
import picocli.CommandLine.Command;

/** {@code init}: writes what docker-compose needs, and keeps what is there (REQ-DP-01 to 03). */
@Command(
    name = "init",
    description = "Writes what docker-compose needs here: passwords, a token, who may log in.")
public final class InitCommand extends ConsoleCommand implements Callable<Integer> {
  private static final Path ENVIRONMENT = Path.of(".env");
  private static final Path CONFIGS = Path.of("configs");
  private static final Path USERS = CONFIGS.resolve("redis").resolve("users.acl");
  private static final Path KEYS = CONFIGS.resolve("ssh").resolve("authorized_keys");
  private static final Path TOKENS = CONFIGS.resolve("tokens");
  private static final Path TOKEN = Path.of("admin.token");
  private static final String PASSWORD = "REDIS_PASSWORD";
  private static final String GROUP = "MAD_GID";

  /** Containers don't run as root, so root's files are for a group. */
  private static final int INSTEAD_OF_ROOT = 10_001;

  private final List<ServiceDescriptor<?>> services;

  public InitCommand(List<ServiceDescriptor<?>> services) {
    this.services = services;
  }

  @Override
  public Integer call() throws IOException {
    UnixSystem self = new UnixSystem();
    boolean root = self.getUid() == 0;
    write(
        ENVIRONMENT,
        """
        # Written by joshua init; .env.example says more.
        %s=%s
        MAD_UID=%d
        %s=%d
        """
                .formatted(
                    PASSWORD,
                    RedisPassword.random(),
                    root ? INSTEAD_OF_ROOT : self.getUid(),
                    GROUP,
                    root ? INSTEAD_OF_ROOT : self.getGid())
            + ports());
    Properties environment = new Properties();
    try (Reader reader = Files.newBufferedReader(ENVIRONMENT)) {
      environment.load(reader);
    }
    Map<String, List<String>> channels = new LinkedHashMap<>();
    services.forEach(service -> channels.put(service.name(), service.channels()));
    String password = set(environment, PASSWORD);
    write(USERS, RedisUser.file(channels, password));
    if (!Files.readString(USERS).contains(TokenFile.hash(password))) {
      throw new IOException(
          "%s has another password than %s. Delete it, and run this again."
              .formatted(USERS, ENVIRONMENT));
    }
    String token = RedisPassword.random();
    if (!Files.exists(TOKENS)) {
      Files.deleteIfExists(TOKEN); // a former one, with its mode, is nobody's any more
      write(TOKEN, token + "\n");
    }
    write(TOKENS, "%s admin %s\n".formatted(TokenFile.hash(token), Role.ADMIN.word()));
    write(KEYS, "# Who may log in by SSH; ./joshua keys adds to it.\n");
    if (root) {
      int group = Integer.parseInt(set(environment, GROUP));
      for (Path file : List.of(USERS, KEYS, TOKENS)) {
        openTo(group, file, "rw-r-----");
      }
      openTo(group, CONFIGS, "rwxr-xr-x");
      openTo(group, USERS.resolveSibling(""), "rwxr-x---");
      openTo(group, KEYS.resolveSibling(""), "rwxr-x---");
    }
    out()
        .println(
            """

            Next:  docker-compose up -d --build
                   export JOSHUA_TOKENS_FILE=%s JOSHUA_TOKEN_FILE=%s
                   ./joshua connect
                   export JOSHUA_SSH_AUTHORIZED_KEYS=%s
                   ./joshua keys add ~/.ssh/id_ed25519.pub admin\
            """
                .formatted(TOKENS, TOKEN, KEYS));
    return ExitStatus.OK;
  }

  private String ports() {
    return services.stream()
        .map(each -> "%s_PORT=%d%n".formatted(each.name().toUpperCase(Locale.ROOT), each.port()))
        .collect(Collectors.joining());
  }

  private static String set(Properties environment, String name) throws IOException {
    String value = environment.getProperty(name);
    if (value == null || value.isBlank()) {
      throw new IOException(
          "%s doesn't set %s. Set it, or delete the file, and run this again."
              .formatted(ENVIRONMENT, name));
    }
    return value;
  }

  private void write(Path file, String text) throws IOException {
    boolean there = Files.exists(file);
    if (!there) {
      PrivateFile.write(file, text);
    }
    out().printf("%-8s %s%n", there ? "kept" : "written", file);
  }

  private static void openTo(int group, Path path, String mode) throws IOException {
    Files.setAttribute(path, "unix:gid", group);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }
}
