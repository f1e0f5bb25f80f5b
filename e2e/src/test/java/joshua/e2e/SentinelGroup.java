package joshua.e2e;

import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import joshua.testing.FreePort;
import joshua.testing.InstalledProgram;
import joshua.testing.RawRedis;
import joshua.testing.TestRequirements;
import joshua.testing.UnixSignals;

/**
 * The machine's own Redis as it would run on three hosts: a server and a Sentinel on each, the
 * first server the master. When two Sentinels have missed the master for a second, they promote a
 * replica.
 */
final class SentinelGroup implements AutoCloseable {
  private static final String MASTER = "mymaster";
  private static final int HOSTS = 3;
  private static final Duration SETTLES_WITHIN = Duration.ofSeconds(60);

  /** The processes of one host. Their files are in the test's directory, named by the ports. */
  private record Host(
      int port, InstalledProgram server, int sentinelPort, InstalledProgram sentinel) {
    void stop() {
      sentinel.stop();
      server.stop();
    }
  }

  /**
   * How every client logs in.
   *
   * @param user the user that the test reads the servers with
   * @param servers the lines for the settings of a server
   * @param sentinels the lines for the settings of a Sentinel, about {@link #MASTER}
   */
  record Login(String user, String password, List<String> servers, List<String> sentinels) {

    /** By one password, as the user {@code default}. */
    static Login byPassword() {
      String password = ExternalRedis.PASSWORD;
      return new Login(
          "default",
          password,
          List.of("requirepass " + password, "masterauth " + password),
          List.of("sentinel auth-pass %s %s".formatted(MASTER, password)));
    }

    /** Each client as a user of its own, among them {@code replica} and {@code sentinel}. */
    static Login byUsers(Path acl, String password) {
      return new Login(
          "sentinel",
          password,
          List.of("aclfile " + acl, "masteruser replica", "masterauth " + password),
          List.of(
              "sentinel auth-user %s sentinel".formatted(MASTER),
              "sentinel auth-pass %s %s".formatted(MASTER, password)));
    }
  }

  private final TestEnvironment environment;
  private final Login login;
  private final List<Host> hosts = new ArrayList<>();
  private final List<InstalledProgram> again = new ArrayList<>();

  private SentinelGroup(TestEnvironment environment, Login login) {
    this.environment = environment;
    this.login = login;
  }

  /** Starts them, and returns when every Sentinel knows all the others. */
  static SentinelGroup on(TestEnvironment environment, Login login) {
    SentinelGroup group = environment.add(new SentinelGroup(environment, login));
    Path server = TestRequirements.program("redis-server", "apt-get install redis-server");
    Path sentinel = TestRequirements.program("redis-sentinel", "apt-get install redis-sentinel");
    int master = FreePort.any();
    for (int i = 0; i < HOSTS; i++) {
      group.start(server, sentinel, i == 0 ? master : FreePort.any(), master);
    }
    await().atMost(SETTLES_WITHIN).until(group::isWhole);
    return group;
  }

  private void start(Path server, Path sentinel, int port, int master) {
    int sentinelPort = FreePort.any();
    String replica = port == master ? "" : "replicaof 127.0.0.1 " + master;
    hosts.add(
        new Host(
            port,
            started(server, port, serverSettings(port, replica), "Ready to accept connections"),
            sentinelPort,
            started(sentinel, sentinelPort, sentinelSettings(sentinelPort, master), "+monitor")));
  }

  private InstalledProgram started(Path program, int port, String settings, String says) {
    Path file = environment.file("redis-" + port + ".conf", settings);
    return InstalledProgram.start(environment.path(), program, file.toString()).awaitSaying(says);
  }

  private String serverSettings(int port, String replica) {
    return """
    bind 127.0.0.1
    port %d
    save ""
    repl-diskless-sync-delay 0
    dbfilename %1$d.rdb
    %s
    %s
    """
        .formatted(port, replica, String.join("\n", login.servers()));
  }

  private String sentinelSettings(int port, int master) {
    return """
    bind 127.0.0.1
    port %d
    sentinel monitor %s 127.0.0.1 %d 2
    %s
    sentinel down-after-milliseconds %2$s 1000
    sentinel failover-timeout %2$s 4000
    """
        .formatted(port, MASTER, master, String.join("\n", login.sentinels()));
  }

  /** Every Sentinel knows both replicas and both other Sentinels. */
  private boolean isWhole() {
    return hosts.stream()
        .map(host -> ask(host, "SENTINEL", "MASTER", MASTER))
        .allMatch(
            said -> said.contains("num-slaves, 2") && said.contains("num-other-sentinels, 2"));
  }

  private static String ask(Host host, String... words) {
    try (RawRedis sentinel = RawRedis.anonymous(host.sentinelPort())) {
      return sentinel.call(words);
    }
  }

  /**
   * The {@code redis-sentinel://} URL with every Sentinel, the first master's before the others.
   */
  String url() {
    return url("");
  }

  /** The same for a user. */
  String urlOf(String user) {
    return url(user + "@");
  }

  private String url(String user) {
    return hosts.stream()
        .map(host -> "127.0.0.1:" + host.sentinelPort())
        .collect(Collectors.joining(",", "redis-sentinel://" + user, "#" + MASTER));
  }

  Path passwordFile() {
    return environment.file("sentinel.password", login.password());
  }

  /** {@code kill -9} for everything on the first master's host. */
  void killFirstHost() {
    hosts.getFirst().server().kill();
    hosts.getFirst().sentinel().kill();
  }

  /** Makes the first server hang (SIGSTOP), or continue (SIGCONT); its Sentinel keeps running. */
  void signalFirstServer(String signal) {
    UnixSignals.send(signal, hosts.getFirst().server().pid());
  }

  /** Waits until the remaining Sentinels name another master, and that is one; returns its port. */
  int awaitPromotion() {
    return await()
        .atMost(SETTLES_WITHIN)
        .pollInterval(Duration.ofMillis(50))
        .until(this::promoted, port -> port != hosts.getFirst().port());
  }

  private int promoted() {
    String named =
        hosts.stream()
            .skip(1)
            .map(host -> ask(host, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER))
            .distinct()
            .collect(Collectors.joining());
    return hosts.stream()
        .skip(1)
        .map(Host::port)
        .filter(port -> named.equals("[127.0.0.1, %d]".formatted(port)))
        .filter(this::isMaster)
        .findFirst()
        .orElse(hosts.getFirst().port());
  }

  private boolean isMaster(int port) {
    try (RawRedis server = raw(port)) {
      return server.call("ROLE").startsWith("[master");
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  /** Starts the first master's server again, as the master that it was. */
  void startFirstServerAgain() {
    Path server = TestRequirements.program("redis-server", "apt-get install redis-server");
    int port = hosts.getFirst().port();
    again.add(started(server, port, serverSettings(port, ""), "Ready to accept connections"));
  }

  /** A raw connection to a server, logged in. */
  RawRedis raw(int port) {
    return RawRedis.to(port, login.user(), login.password());
  }

  /** The same to the first master's. */
  RawRedis rawFirst() {
    return raw(hosts.getFirst().port());
  }

  @Override
  public void close() {
    again.forEach(InstalledProgram::stop);
    hosts.forEach(Host::stop);
  }
}
