package joshua.ssh.mina;

import java.io.IOException;
import java.security.KeyPair;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.sshd.common.Service;
import org.apache.sshd.common.auth.AbstractUserAuthServiceFactory;
import org.apache.sshd.common.channel.Channel;
import org.apache.sshd.common.channel.ChannelFactory;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.io.IoSession;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.session.SessionHeartbeatController.HeartbeatType;
import org.apache.sshd.common.session.SessionListener;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.ServerAuthenticationManager;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.forward.RejectAllForwardingFilter;
import org.apache.sshd.server.session.AbstractServerSession;
import org.apache.sshd.server.session.ServerConnectionServiceFactory;
import org.apache.sshd.server.session.ServerSessionImpl;
import org.apache.sshd.server.session.SessionFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listening socket, if open, and the configuration of the SSH library. Confined to one thread.
 */
final class ListeningSocket {
  private static final Logger log = LoggerFactory.getLogger(ListeningSocket.class);

  /** The maximum number of bytes that a client may send before they are read. */
  static final long WINDOW = 64 * 1024L;

  /**
   * The maximum number of messages of a login, more than enough for {@link LoginService#ATTEMPTS}.
   */
  private static final int LOGIN_MESSAGES = 16;

  private static final Duration HEARTBEAT = Duration.ofMinutes(1);

  /** How long writing the closing message may take. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  private static final Duration STOPPING = Duration.ofSeconds(3);
  private static final int WORKERS = 2;

  private final SshConfig config;
  private final KeyPair hostKey;
  private final LoginPolicy loginPolicy;
  private final SshConnections sshConnections;
  private final ShellServices shellServices;
  private @Nullable SshServer server;
  private int port;

  ListeningSocket(
      SshConfig config,
      KeyPair hostKey,
      LoginPolicy loginPolicy,
      SshConnections sshConnections,
      ShellServices shellServices) {
    this.config = config;
    this.hostKey = hostKey;
    this.loginPolicy = loginPolicy;
    this.sshConnections = sshConnections;
    this.shellServices = shellServices;
    this.port = config.port();
  }

  String fingerprint() {
    return KeyUtils.getFingerPrint(hostKey.getPublic());
  }

  /** Starts listening unless it already does; returns the port. */
  int start() throws IOException {
    if (server != null) {
      return port;
    }
    SshServer fresh = build();
    try {
      fresh.start();
    } catch (IOException e) {
      fresh.close(true);
      throw new IOException(
          "Cannot listen on %s:%d for SSH (%s). Stop what uses that port, or set %s to another."
              .formatted(
                  config.address().getHostAddress(), port, e.getMessage(), config.portSetting()),
          e);
    }
    server = fresh;
    port = fresh.getPort();
    return port;
  }

  /** Stops listening and closes open connections. */
  void stop() {
    SshServer running = server;
    server = null;
    if (running != null) {
      try {
        running.stop(true);
      } catch (IOException e) {
        log.warn("the SSH server hasn't closed all in time", e);
      }
    }
  }

  private SshServer build() {
    SshServer fresh = SshServer.setUpDefaultServer();
    SshAlgorithms.set(fresh);
    limits(fresh);
    fresh.setHost(config.address().getHostAddress());
    fresh.setPort(port);
    fresh.setKeyPairProvider(KeyPairProvider.wrap(hostKey));
    fresh.setUserAuthFactories(
        List.of(ServerAuthenticationManager.DEFAULT_USER_AUTH_PUBLIC_KEY_FACTORY));
    fresh.setServiceFactories(List.of(new LoginServices(), new ChannelServices()));
    fresh.setChannelFactories(List.of(new Channels()));
    fresh.setGlobalRequestHandlers(List.of());
    fresh.setSubsystemFactories(List.of());
    fresh.setForwardingFilter(RejectAllForwardingFilter.INSTANCE);
    fresh.setAgentFactory(null);
    fresh.setCommandFactory(
        (channel, line) -> new ChannelCommand(shellServices, channel, Optional.of(line)));
    fresh.setShellFactory(channel -> new ChannelCommand(shellServices, channel, Optional.empty()));
    fresh.setSessionFactory(new Sessions(fresh));
    fresh.addSessionListener(new Goings());
    return fresh;
  }

  /** Timeouts are off here: {@link SshListener} handles them, since it knows what idle means. */
  private static void limits(SshServer fresh) {
    CoreModuleProperties.AUTH_TIMEOUT.set(fresh, Duration.ZERO);
    CoreModuleProperties.IDLE_TIMEOUT.set(fresh, Duration.ZERO);
    CoreModuleProperties.MAX_AUTH_REQUESTS.set(fresh, LOGIN_MESSAGES);
    CoreModuleProperties.WINDOW_SIZE.set(fresh, WINDOW);
    CoreModuleProperties.NIO_WORKERS.set(fresh, WORKERS);
    CoreModuleProperties.DISCONNECT_TIMEOUT.set(fresh, LAST_WORDS);
    CoreModuleProperties.STOP_WAIT_TIME.set(fresh, STOPPING);
    CoreModuleProperties.SOCKET_KEEPALIVE.set(fresh, true);
    CoreModuleProperties.SERVER_IDENTIFICATION.set(fresh, "Joshua");
    CoreModuleProperties.WELCOME_BANNER.set(fresh, "");
    fresh.setSessionHeartbeat(HeartbeatType.IGNORE, HEARTBEAT);
  }

  private final class Sessions extends SessionFactory {
    Sessions(SshServer server) {
      super(server);
    }

    @Override
    protected ServerSessionImpl doCreateSession(IoSession socket) throws Exception {
      return new SshAdminSession(getServer(), socket, loginPolicy, loginPolicy.pause());
    }
  }

  /** Tracks the progress and the end of connections. */
  private final class Goings implements SessionListener {
    @Override
    public void sessionEvent(Session session, Event event) {
      if (event == Event.KeyEstablished) {
        SshConnection.find(session).ifPresent(SshConnection::encrypted);
      }
    }

    @Override
    public void sessionClosed(Session session) {
      SshConnection.find(session).ifPresent(sshConnections::gone);
    }
  }

  private final class LoginServices extends AbstractUserAuthServiceFactory {
    @Override
    public Service create(Session session) throws IOException {
      return new LoginService(session, loginPolicy);
    }
  }

  private static final class ChannelServices extends ServerConnectionServiceFactory {
    @Override
    public Service create(Session session) throws IOException {
      return new ChannelService((AbstractServerSession) session);
    }
  }

  private static final class Channels implements ChannelFactory {
    @Override
    public String getName() {
      return "session";
    }

    @Override
    public Channel createChannel(Session session) {
      return new AdminChannel();
    }
  }
}
