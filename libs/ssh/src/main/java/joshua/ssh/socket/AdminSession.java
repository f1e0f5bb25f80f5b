package joshua.ssh.socket;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import joshua.kernel.Pause;
import joshua.ssh.Access;
import joshua.ssh.CommandHost;
import joshua.ssh.Console;
import joshua.ssh.ExitStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to an admin socket: a request, the verb that it asks for, and what happens at the
 * client's end meanwhile. One thread reads, one runs the verb, one writes ({@link Outflow}).
 */
final class AdminSession {
  private static final Logger log = LoggerFactory.getLogger(AdminSession.class);

  /** In what time a client must have said what it wants. */
  static final Duration REQUEST_WITHIN = Duration.ofSeconds(10);

  private final SocketChannel channel;
  private final CommandHost host;
  private final Access access;
  private final Pause pause;
  private final Outflow outflow;
  private volatile Optional<FromClient.Terminal> terminal = Optional.empty();
  private volatile boolean stopping;
  private volatile @Nullable Thread verb;

  AdminSession(SocketChannel channel, CommandHost host, Access access, Pause pause) {
    this.channel = channel;
    this.host = host;
    this.access = access;
    this.pause = pause;
    this.outflow = Outflow.start(channel, access.sessionId());
  }

  /** Serves the client until it has gone or the verb has ended; on the thread that reads. */
  void serve() {
    JsonLines lines = new JsonLines(Channels.newInputStream(channel), FromClient.LONGEST);
    try {
      Optional<FromClient.Request> request = request(lines);
      if (request.isEmpty()) {
        leave(ExitStatus.USAGE);
        return;
      }
      terminal = request.get().terminal();
      Thread running =
          Thread.ofVirtual().name(access.sessionId() + "-verb").unstarted(() -> run(request.get()));
      verb = running;
      running.start();
      follow(lines, running);
      running.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Optional<FromClient.Request> request(JsonLines lines) throws InterruptedException {
    Thread watch =
        Thread.ofVirtual().name(access.sessionId() + "-patience").start(this::closeLater);
    try {
      Optional<ObjectNode> line = lines.next();
      return line.isEmpty() ? Optional.empty() : Optional.of(FromClient.request(line.get()));
    } catch (JsonLines.Faulty e) {
      outflow.err("joshua: the request isn't understood: %s\n".formatted(e.sentence()));
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
      pause.pause(REQUEST_WITHIN);
      log.info("{} said nothing for {}, and is sent away", access.sessionId(), REQUEST_WITHIN);
      close();
    } catch (InterruptedException e) {
      // It has said what it wants.
    }
  }

  private void run(FromClient.Request request) {
    ExitStatus status = host.run(request.words(), access, new SocketConsole());
    if (stopping && status == ExitStatus.INTERRUPTED) {
      outflow.err("joshua: %s is stopping\n".formatted(host.mad()));
      status = ExitStatus.UNAVAILABLE;
    }
    leave(status);
  }

  /** Says how it ended, and parts when that is on its way. */
  private void leave(ExitStatus status) {
    outflow.exit(status.number());
  }

  /** Does what the client says, until the connection ends; without a client the verb ends, too. */
  private void follow(JsonLines lines, Thread running) {
    try {
      for (var line = lines.next(); line.isPresent(); line = lines.next()) {
        switch (FromClient.event(line.get())) {
          case FromClient.Interrupted() -> running.interrupt();
          case FromClient.Resized(var size) ->
              terminal = terminal.map(there -> new FromClient.Terminal(size, there.colours()));
          case FromClient.Request _ -> throw new JsonLines.Faulty("there was a request already");
        }
      }
    } catch (JsonLines.Faulty e) {
      log.info("{} is parted from: {}", access.sessionId(), e.sentence());
    } catch (IOException e) {
      log.debug("{} has ended", access.sessionId(), e);
    }
    outflow.end();
    running.interrupt();
  }

  /** Has the verb end because the MAD does. */
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
      log.debug("{} can't be closed", access.sessionId(), e);
    }
  }

  /** The client's end as the verb sees it. */
  private final class SocketConsole implements Console {
    @Override
    public void out(String text) {
      outflow.out(text);
    }

    @Override
    public void err(String text) {
      outflow.err(text);
    }

    @Override
    public boolean gone() {
      return outflow.gone();
    }

    @Override
    public Optional<Size> terminal() {
      return terminal.map(FromClient.Terminal::size);
    }

    @Override
    public boolean colours() {
      return terminal.map(FromClient.Terminal::colours).orElse(false);
    }
  }
}
