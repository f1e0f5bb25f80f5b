package joshua.ssh.socket;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import joshua.kernel.TimedWait;
import joshua.ssh.AdminCaller;
import joshua.ssh.AdminConsole;
import joshua.ssh.CommandHost;
import joshua.ssh.ExitStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to an admin socket: a request, its verb, and the client's events while it runs.
 * One thread reads, one runs the verb, one writes ({@link SocketWriter}).
 */
final class SocketAdminSession {
  private static final Logger log = LoggerFactory.getLogger(SocketAdminSession.class);

  /** How long a client may take to send its request. */
  static final Duration REQUEST_WITHIN = Duration.ofSeconds(10);

  private final SocketChannel channel;
  private final CommandHost host;
  private final AdminCaller adminCaller;
  private final TimedWait timedWait;
  private final SocketWriter socketWriter;
  private volatile Optional<ClientMessage.Terminal> terminal = Optional.empty();
  private volatile boolean stopping;
  private volatile @Nullable Thread verb;

  SocketAdminSession(
      SocketChannel channel, CommandHost host, AdminCaller adminCaller, TimedWait timedWait) {
    this.channel = channel;
    this.host = host;
    this.adminCaller = adminCaller;
    this.timedWait = timedWait;
    this.socketWriter = SocketWriter.start(channel, adminCaller.sessionId());
  }

  /** Serves the client until it has gone or the verb has ended; on the thread that reads. */
  void serve() {
    JsonLines lines = new JsonLines(Channels.newInputStream(channel), ClientMessage.LONGEST);
    try {
      Optional<ClientMessage.Request> request = request(lines);
      if (request.isEmpty()) {
        leave(ExitStatus.USAGE);
        return;
      }
      terminal = request.get().terminal();
      Thread running =
          Thread.ofVirtual()
              .name(adminCaller.sessionId() + "-verb")
              .unstarted(() -> run(request.get()));
      verb = running;
      running.start();
      follow(lines, running);
      running.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Optional<ClientMessage.Request> request(JsonLines lines) throws InterruptedException {
    Thread watch =
        Thread.ofVirtual().name(adminCaller.sessionId() + "-patience").start(this::closeLater);
    try {
      Optional<ObjectNode> line = lines.next();
      return line.isEmpty() ? Optional.empty() : Optional.of(ClientMessage.request(line.get()));
    } catch (JsonLines.MalformedLineException e) {
      socketWriter.err("joshua: the request isn't understood: %s\n".formatted(e.sentence()));
      return Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    } finally {
      watch.interrupt();
      watch.join();
    }
  }

  private void closeLater() {
    try {
      timedWait.pause(REQUEST_WITHIN);
      log.info("{} said nothing for {}, and is sent away", adminCaller.sessionId(), REQUEST_WITHIN);
      close();
    } catch (InterruptedException e) {
      // The request has arrived.
    }
  }

  private void run(ClientMessage.Request request) {
    ExitStatus status = host.run(request.words(), adminCaller, new SocketConsole());
    if (stopping && status == ExitStatus.INTERRUPTED) {
      socketWriter.err("joshua: %s is stopping\n".formatted(host.mad()));
      status = ExitStatus.UNAVAILABLE;
    }
    leave(status);
  }

  /** Sends the exit status, then closes. */
  private void leave(ExitStatus status) {
    socketWriter.exit(status.number());
  }

  /** Handles the client's events until the connection ends, which ends the verb, too. */
  private void follow(JsonLines lines, Thread running) {
    try {
      for (var line = lines.next(); line.isPresent(); line = lines.next()) {
        switch (ClientMessage.event(line.get())) {
          case ClientMessage.Interrupted() -> running.interrupt();
          case ClientMessage.Resized(var size) ->
              terminal = terminal.map(there -> new ClientMessage.Terminal(size, there.colours()));
          case ClientMessage.Request _ ->
              throw new JsonLines.MalformedLineException("there was a request already");
        }
      }
    } catch (JsonLines.MalformedLineException e) {
      log.info("{} is parted from: {}", adminCaller.sessionId(), e.sentence());
    } catch (IOException e) {
      log.debug("{} has ended", adminCaller.sessionId(), e);
    }
    socketWriter.end();
    running.interrupt();
  }

  /** Ends the verb because the MAD stops. */
  void stop() {
    stopping = true;
    Thread running = verb;
    if (running != null) {
      running.interrupt();
    }
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      log.debug("{} can't be closed", adminCaller.sessionId(), e);
    }
  }

  /** The client's end as the verb sees it. */
  private final class SocketConsole implements AdminConsole {
    @Override
    public void out(String text) {
      socketWriter.out(text);
    }

    @Override
    public void err(String text) {
      socketWriter.err(text);
    }

    @Override
    public boolean gone() {
      return socketWriter.gone();
    }

    @Override
    public Optional<Size> terminal() {
      return terminal.map(ClientMessage.Terminal::size);
    }

    @Override
    public boolean colours() {
      return terminal.map(ClientMessage.Terminal::colours).orElse(false);
    }
  }
}
