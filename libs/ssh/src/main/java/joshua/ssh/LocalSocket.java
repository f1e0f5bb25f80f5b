package joshua.ssh;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.security.auth.module.UnixSystem;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import joshua.network.Caller;
import joshua.network.Connection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Unix socket through which commands on this machine run verbs. Its file mode admits only this
 * user, who is an administrator.
 *
 * <p>A client sends one line, {@code {"service","words":[…],"columns":80}}, and receives frames: a
 * byte for the kind ({@code o} output, {@code e} errors, {@code x} the exit status), a length of
 * four bytes, and the bytes. The first frame is an empty output, which confirms that the verb has
 * begun. The end of the client's stream interrupts the verb.
 */
public final class LocalSocket implements AutoCloseable {
  /** Systems allow 103 bytes or more; while a socket is created its path is up to 23 longer. */
  private static final int MAX_PATH_LENGTH = 80;

  private static final int MAX_CLIENTS = 64;
  private static final long ACCEPT_RETRY_MS = 200;
  private static final FileAttribute<?> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final int PRIVATE_DIRECTORY_MODE = 0_040_700;
  private static final Logger log = LoggerFactory.getLogger(LocalSocket.class);

  private final ServerSocketChannel server;
  private final Path path;
  private final Map<String, VerbHost> hosts;
  private final Set<SocketChannel> clients = ConcurrentHashMap.newKeySet();
  private final AtomicLong count = new AtomicLong();

  private LocalSocket(ServerSocketChannel server, Path path, Map<String, VerbHost> hosts) {
    this.server = server;
    this.path = path;
    this.hosts = Map.copyOf(hosts);
  }

  /**
   * Opens the socket. Only the holder of the data directory's lock may call this: an existing
   * socket is a leftover and replaced.
   *
   * @param wanted its path; a shorter one is used where this is too long
   * @throws IOException with a sentence for the user
   */
  public static LocalSocket open(Path wanted, Map<String, VerbHost> hosts) throws IOException {
    Path path = shortEnough(wanted);
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      place(server, path);
    } catch (IOException e) {
      server.close();
      throw new IOException("The socket %s can't be made (%s).".formatted(path, e), e);
    }
    LocalSocket socket = new LocalSocket(server, path, hosts);
    Thread.ofVirtual().name("local-socket").start(socket::accept);
    return socket;
  }

  /** Creates the socket in a private directory, so that it is never open to others. */
  private static void place(ServerSocketChannel server, Path path) throws IOException {
    Path workshop = Files.createTempDirectory(path.getParent(), ".s", PRIVATE);
    Path fresh = workshop.resolve("s");
    try {
      server.bind(UnixDomainSocketAddress.of(fresh));
      Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));
      Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
      Files.delete(workshop);
    }
  }

  /** A path that isn't too long, if need be in a directory of this user under {@code /tmp}. */
  private static Path shortEnough(Path wanted) throws IOException {
    if (wanted.toString().getBytes(StandardCharsets.UTF_8).length <= MAX_PATH_LENGTH) {
      return wanted;
    }
    // By number, since a user in a container may have no name.
    int user = (int) new UnixSystem().getUid();
    Path directory = Path.of("/tmp", "joshua-" + user);
    try {
      Files.createDirectory(directory, PRIVATE);
    } catch (FileAlreadyExistsException e) {
      log.debug("{} is there already", directory, e);
    }
    Map<String, Object> ours = Map.of("uid", user, "mode", PRIVATE_DIRECTORY_MODE);
    if (!ours.equals(Files.readAttributes(directory, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS))) {
      throw new IOException(
          "%s is too long for a socket, and %s isn't yours alone. Set JOSHUA_DATA_DIR to a shorter path."
              .formatted(wanted, directory));
    }
    return directory.resolve(Integer.toHexString(wanted.toAbsolutePath().hashCode()) + ".sock");
  }

  public Path path() {
    return path;
  }

  private void accept() {
    boolean fails = false;
    while (server.isOpen()) {
      try {
        SocketChannel client = server.accept();
        fails = false;
        clients.add(client);
        String id = "local-" + count.incrementAndGet();
        Thread.ofVirtual().name(id).start(() -> serve(client, id));
      } catch (ClosedChannelException e) {
        log.debug("the local socket has been closed");
      } catch (IOException | RuntimeException | Error e) {
        if (!fails) {
          log.warn("commands on this machine aren't served at present; tried again", e);
        }
        fails = true;
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(ACCEPT_RETRY_MS));
      }
    }
  }

  private void serve(SocketChannel client, String id) {
    Connection connection = new Connection(id, () -> false);
    try (BufferedReader in =
        new BufferedReader(Channels.newReader(client, StandardCharsets.UTF_8))) {
      JsonNode request = Json.parse(Objects.requireNonNullElse(in.readLine(), ""));
      send(client, 'o', ByteBuffer.allocate(0));
      Thread verb =
          Thread.ofVirtual().name(id + "-verb").start(() -> run(client, request, connection));
      try {
        in.transferTo(Writer.nullWriter()); // waits for the end of the stream
      } finally {
        connection.close();
        verb.interrupt();
        verb.join();
      }
    } catch (IOException | MalformedJsonException e) {
      log.debug("{}: the client has gone, or wasn't one", id, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      clients.remove(client);
    }
  }

  private void run(SocketChannel client, JsonNode request, Connection connection) {
    List<String> words = new ArrayList<>();
    request.path("words").forEach(word -> words.add(word.asText()));
    VerbHost host = hosts.get(request.path("service").asText());
    PrintStream out = stream(client, 'o');
    PrintStream err = stream(client, 'e');
    int status = ExitStatus.UNAVAILABLE;
    if (host == null) {
      err.println("%s doesn't run here.".formatted(request.path("service").asText()));
    } else if (clients.size() > MAX_CLIENTS) {
      err.println("%d commands run here already; end one of them.".formatted(MAX_CLIENTS));
    } else {
      VerbTerminal terminal =
          new VerbTerminal(
              out,
              err,
              request.path("columns").asInt(),
              request.path("coloured").asBoolean(),
              request.path("person").asText());
      status = host.run(words, Caller.local(connection), terminal);
    }
    out.flush();
    err.flush();
    try {
      send(client, 'x', ByteBuffer.allocate(Integer.BYTES).putInt(status).flip());
      client.shutdownOutput();
      client.shutdownInput();
    } catch (IOException e) {
      log.debug("{}: the client has gone before the end", connection.id());
    }
  }

  /** A stream that sends its text when it is flushed. */
  private static PrintStream stream(SocketChannel client, char kind) {
    ByteArrayOutputStream text =
        new ByteArrayOutputStream() {
          @Override
          public void flush() throws IOException {
            if (count > 0) {
              send(client, kind, ByteBuffer.wrap(toByteArray()));
              reset();
            }
          }
        };
    return new PrintStream(text, false, StandardCharsets.UTF_8);
  }

  private static void send(SocketChannel client, char kind, ByteBuffer bytes) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(1 + Integer.BYTES + bytes.remaining());
    frame.put((byte) kind).putInt(bytes.remaining()).put(bytes).flip();
    while (frame.hasRemaining()) {
      client.write(frame);
    }
  }

  /** Ends the running verbs, and removes the socket. */
  @Override
  public void close() throws IOException {
    server.close();
    for (SocketChannel client : clients) {
      client.close();
    }
    Files.deleteIfExists(path);
  }
}
