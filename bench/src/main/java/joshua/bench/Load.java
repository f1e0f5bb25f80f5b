package joshua.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A load generator that keeps a number of requests in flight on each connection: it writes a
 * request when an answer has come. One thread, so that it takes little of the processor.
 */
final class Load implements AutoCloseable {
  private static final int BUFFER = 256 * 1024;

  /** The protocol: the requests, and the boundaries of answers. */
  interface Protocol {
    /** Prepares a connection that has just been opened and blocks. */
    void open(SocketChannel channel) throws IOException;

    /** The bytes of a connection's next request. */
    byte[] request(int connection);

    /**
     * The length of the answer that begins at the buffer's position; 0 if it is incomplete.
     *
     * @throws IOException where it isn't a success
     */
    int answer(ByteBuffer buffer) throws IOException;
  }

  private static final class Client {
    private final SocketChannel channel;
    private final int number;
    private final ByteBuffer in = ByteBuffer.allocate(BUFFER);
    private ByteBuffer out = ByteBuffer.allocate(0);

    private Client(SocketChannel channel, int number) {
      this.channel = channel;
      this.number = number;
    }

    private void send(int times, Protocol protocol) throws IOException {
      List<byte[]> requests = new ArrayList<>(times);
      int length = out.remaining();
      for (int i = 0; i < times; i++) {
        requests.add(protocol.request(number));
        length += requests.getLast().length;
      }
      ByteBuffer all = ByteBuffer.allocate(length).put(out);
      requests.forEach(all::put);
      out = all.flip();
      channel.write(out);
    }
  }

  private final Protocol protocol;
  private final Selector selector = Selector.open();
  private final List<Client> clients = new ArrayList<>();

  Load(int port, int connections, int inFlight, Protocol protocol) throws IOException {
    this.protocol = protocol;
    for (int i = 0; i < connections; i++) {
      SocketChannel channel =
          SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      protocol.open(channel);
      channel.configureBlocking(false);
      Client client = new Client(channel, i);
      channel.register(selector, SelectionKey.OP_READ, client);
      clients.add(client);
    }
    for (Client client : clients) {
      client.send(inFlight, protocol);
    }
  }

  /** Runs for some time, and returns the number of answers. */
  long run(long millis) throws IOException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    long answers = 0;
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
      for (SelectionKey key : selector.selectedKeys()) {
        answers += serve(key);
      }
      selector.selectedKeys().clear();
    }
    return answers;
  }

  private int serve(SelectionKey key) throws IOException {
    Client client = (Client) key.attachment();
    if (client.channel.read(client.in) < 0) {
      throw new IOException("The server closed a connection.");
    }
    int answers = 0;
    client.in.flip();
    for (int length = protocol.answer(client.in); length > 0; length = protocol.answer(client.in)) {
      client.in.position(client.in.position() + length);
      answers++;
    }
    client.in.compact();
    if (answers > 0 || client.out.hasRemaining()) {
      client.send(answers, protocol);
    }
    key.interestOps(SelectionKey.OP_READ | (client.out.hasRemaining() ? SelectionKey.OP_WRITE : 0));
    return answers;
  }

  @Override
  public void close() throws IOException {
    for (Client client : clients) {
      client.channel.close();
    }
    selector.close();
  }
}
