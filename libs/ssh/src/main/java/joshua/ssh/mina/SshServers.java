package joshua.ssh.mina;

import java.io.IOException;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import joshua.kernel.Recurring;
import joshua.network.Access;
import joshua.ssh.AuditLog;
import joshua.ssh.VerbHost;
import joshua.ssh.mina.AuthorizedKeys.AuthorizedKey;
import org.apache.sshd.common.AttributeRepository.AttributeKey;
import org.apache.sshd.common.NamedResource;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.channel.Channel;
import org.apache.sshd.common.channel.RequestHandler;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntryResolver;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.session.SessionHeartbeatController.HeartbeatType;
import org.apache.sshd.common.session.SessionListener;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.ServerAuthenticationManager;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.auth.pubkey.AuthorizedKeyEntriesPublickeyAuthenticator;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.channel.ChannelSessionFactory;
import org.apache.sshd.server.forward.RejectAllForwardingFilter;
import org.apache.sshd.server.session.ServerSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SSH servers of a process, one for each service (REQ-JS-01): an authorized key can run verbs,
 * and nothing else. They listen once there is a key. The thread {@code ssh} reloads the file each
 * second, and ends the sessions of removed or changed keys.
 */
public final class SshServers implements AutoCloseable {
  /** The login name of everybody; the key is the identity. */
  public static final String LOGIN_NAME = "mad";

  private static final long RELOAD_SECONDS = 1;
  private static final Duration LOGIN_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration HEARTBEAT = Duration.ofMinutes(1);
  private static final int MAX_SESSIONS = 64;
  private static final int MAX_CHANNELS = 10;
  static final AttributeKey<AuthorizedKey> KEY = new AttributeKey<>();
  private static final Logger log = LoggerFactory.getLogger(SshServers.class);

  /** The settings of all servers. */
  public record Config(Path authorizedKeys, Path hostKey, String address, Access access) {}

  /** The endpoint of a service; {@code setting} is the name of the port's setting. */
  public record Endpoint(VerbHost host, int port, String setting) {}

  private final Config config;
  private final List<Endpoint> endpoints = new ArrayList<>();
  private final Map<String, SshServer> servers = new ConcurrentHashMap<>();
  private volatile AuthorizedKeys keys = AuthorizedKeys.NONE;
  private volatile @Nullable String problem;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().name("ssh").factory());

  public SshServers(Config config) {
    this.config = config;
  }

  /** Listens for each service, or waits for a key; an exception's message is for the user. */
  public void start(List<Endpoint> services) throws IOException {
    endpoints.addAll(services);
    report(loadKeys());
    listen();
    var _ =
        timer.scheduleWithFixedDelay(
            Recurring.surviving(this::reload), RELOAD_SECONDS, RELOAD_SECONDS, TimeUnit.SECONDS);
  }

  /** The port of each service that listens. */
  public Map<String, Integer> ports() {
    Map<String, Integer> ports = new HashMap<>();
    servers.forEach((service, server) -> ports.put(service, server.getPort()));
    return ports;
  }

  /** The problem of the keys file or of listening, in a sentence. */
  public Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  private void reload() {
    List<String> problems = new ArrayList<>(loadKeys());
    try {
      listen();
    } catch (IOException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
    report(problems);
    for (SshServer server : servers.values()) {
      server.getActiveSessions().forEach(each -> endWithoutKey((ServerSession) each));
    }
  }

  /** Reads the file, and returns its problems. */
  private List<String> loadKeys() {
    try {
      keys = AuthorizedKeys.read(config.authorizedKeys(), config.access());
      return keys.faults();
    } catch (IOException | RuntimeException e) {
      keys = AuthorizedKeys.NONE;
      return List.of(String.valueOf(e.getMessage()));
    }
  }

  private void report(List<String> problems) {
    String before = problem;
    String now = problems.isEmpty() ? null : String.join(" ", problems);
    problem = now;
    if (now != null && !now.equals(before)) {
      problems.forEach(each -> log.warn("{}", each));
    }
  }

  private void listen() throws IOException {
    for (Endpoint endpoint : endpoints) {
      String service = endpoint.host().service();
      if (!keys.keys().isEmpty() && !servers.containsKey(service)) {
        SshServer server = server(endpoint, HostKey.in(config.hostKey()));
        try {
          server.start();
        } catch (IOException e) {
          server.close(true);
          throw new IOException(
              "Can't listen on %s:%d for SSH (%s). Stop what uses that port, or set %s to another."
                  .formatted(config.address(), endpoint.port(), e.getMessage(), endpoint.setting()),
              e);
        }
        servers.put(service, server);
        log.info("{} can be reached by SSH on port {}", service, server.getPort());
      }
    }
  }

  private SshServer server(Endpoint endpoint, KeyPairProvider hostKey) {
    SshServer server = SshServer.setUpDefaultServer();
    server.setKeyExchangeFactories(modern(server.getKeyExchangeFactories()));
    server.setMacFactories(modern(server.getMacFactories()));
    server.setSignatureFactories(modern(server.getSignatureFactories()));
    server.setHost(config.address());
    server.setPort(endpoint.port());
    server.setKeyPairProvider(hostKey);
    server.setUserAuthFactories(
        List.of(ServerAuthenticationManager.DEFAULT_USER_AUTH_PUBLIC_KEY_FACTORY));
    server.setPublickeyAuthenticator(this::authenticate);
    server.setSubsystemFactories(List.of());
    server.setChannelFactories(List.of(new Channels()));
    server.setForwardingFilter(RejectAllForwardingFilter.INSTANCE);
    server.setCommandFactory(
        (channel, line) -> new VerbChannel(endpoint.host(), channel, Optional.of(line)));
    server.setShellFactory(channel -> new VerbChannel(endpoint.host(), channel, Optional.empty()));
    server.addSessionListener(
        new SessionListener() {
          @Override
          public void sessionEvent(Session session, Event event) {
            if (event == Event.Authenticated) {
              String name = Objects.requireNonNull(session.getAttribute(KEY)).name();
              AuditLog.login(name, from((ServerSession) session), true);
            }
          }
        });
    CoreModuleProperties.AUTH_TIMEOUT.set(server, LOGIN_TIMEOUT);
    CoreModuleProperties.IDLE_TIMEOUT.set(server, Duration.ZERO); // verbs may be silent
    CoreModuleProperties.MAX_CONCURRENT_SESSIONS.set(server, MAX_SESSIONS);
    CoreModuleProperties.MAX_CONCURRENT_CHANNELS.set(server, MAX_CHANNELS);
    CoreModuleProperties.NIO_WORKERS.set(server, 1);
    CoreModuleProperties.SERVER_IDENTIFICATION.set(server, "Joshua");
    server.setSessionHeartbeat(HeartbeatType.IGNORE, HEARTBEAT);
    return server;
  }

  /** Removes SHA-1 and older algorithms, which the library still offers. */
  private static <F extends NamedResource> List<F> modern(List<F> offered) {
    return offered.stream()
        .filter(each -> !each.getName().matches("ssh-rsa.*|ssh-dss.*|.*sha1.*"))
        .toList();
  }

  private boolean authenticate(String name, PublicKey publicKey, ServerSession session) {
    Optional<AuthorizedKey> key =
        name.equals(LOGIN_NAME) ? admitted(publicKey, session) : Optional.empty();
    if (key.isPresent()) {
      session.setAttribute(KEY, key.get());
    } else {
      AuditLog.login(
          "%.64s, %s".formatted(name, KeyUtils.getFingerPrint(publicKey)), from(session), false);
    }
    return key.isPresent();
  }

  /** The first line that admits a key now, from this address. */
  private Optional<AuthorizedKey> admitted(PublicKey publicKey, ServerSession session) {
    return keys.keys().stream()
        .filter(key -> key.is(publicKey) && isOpen(key, session))
        .findFirst();
  }

  /** Whether {@code from=} and {@code expiry-time=} of a line admit a session. */
  private static boolean isOpen(AuthorizedKey key, ServerSession session) {
    try {
      return new AuthorizedKeyEntriesPublickeyAuthenticator(
              key.name(), session, List.of(key.entry()), PublicKeyEntryResolver.FAILING)
          .authenticate(LOGIN_NAME, key.publicKey(), session);
    } catch (IOException | java.security.GeneralSecurityException e) {
      log.warn("the key {} can't be used", key.name(), e);
      return false;
    }
  }

  private void endWithoutKey(ServerSession session) {
    AuthorizedKey was = session.getAttribute(KEY);
    if (session.isAuthenticated()
        && was != null
        && admitted(was.publicKey(), session)
            .filter(is -> is.line().equals(was.line()))
            .isEmpty()) {
      try {
        session.disconnect(
            SshConstants.SSH2_DISCONNECT_BY_APPLICATION, "your key was removed or changed");
      } catch (IOException e) {
        log.debug("{} has gone already", session, e);
      }
    }
  }

  /** Channels for commands and the shell that refuse variables: clients could send any number. */
  private static final class Channels extends ChannelSessionFactory {
    @Override
    public Channel createChannel(Session session) {
      return new ChannelSession() {
        @Override
        protected RequestHandler.Result handleEnvParsed(String name, String value) {
          return RequestHandler.Result.ReplyFailure;
        }
      };
    }
  }

  private static String from(ServerSession session) {
    return String.valueOf(session.getClientAddress()).replaceFirst("^.*/", "");
  }

  @Override
  public void close() throws IOException {
    timer.shutdown();
    for (SshServer server : servers.values()) {
      server.stop(true);
    }
  }
}
