package joshua.e2e;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Sends HTTP requests that never end, from twenty addresses of this machine: heads that stop,
 * bodies that stop, and heads that grow by a byte every few seconds. A connection that is cut off
 * is opened again. One selector, no threads.
 */
final class HalfRequestsAttack implements HostileAttack {
  private static final int CONNECTIONS = 19_000;
  private static final int ADDRESSES = 20;

  /** Files that this process keeps for everything else. */
  private static final int OTHER_FILES = 2_500;

  private static final int OPENED_AT_ONCE = 30;
  private static final int KINDS = 3;
  private static final Duration BREATH = Duration.ofMillis(50);
  private static final long TRICKLE_NANOS = Duration.ofSeconds(4).toNanos();

  /** A head or a body that has stalled for this long should have been discarded. */
  private static final Duration GIVEN_UP_WITHIN = Duration.ofSeconds(45);

  private static final byte[] HEAD = "GET /mcp HTTP/1.1\r\nHost: loc".getBytes(US_ASCII);
  private static final byte[] TRICKLING =
      "GET /mcp HTTP/1.1\r\nHost: localhost\r\nX-Long: ".getBytes(US_ASCII);
  private static final byte[] BODY =
      """
      POST /mcp HTTP/1.1\r
      Host: localhost\r
      %s\r
      Content-Type: application/json\r
      Accept: application/json, text/event-stream\r
      MCP-Protocol-Version: 2025-11-25\r
      Content-Length: 4000000\r
      \r
      {\
      """
          .formatted(AttackTokens.header(AttackTokens.viewer(0)))
          .getBytes(US_ASCII);

  /** One of them; guarded by the one thread that attacks. */
  private static final class HalfRequest {
    final int kind;
    long begunNanos;

    HalfRequest(int kind) {
      this.kind = kind;
    }

    boolean overdue(long nowNanos) {
      return begunNanos != 0 && nowNanos - begunNanos > GIVEN_UP_WITHIN.toNanos();
    }
  }

  private final AttackTarget target;
  private final List<String> faults = new CopyOnWriteArrayList<>();

  HalfRequestsAttack(AttackTarget target) {
    this.target = target;
  }

  @Override
  public String name() {
    return "half requests";
  }

  @Override
  public void attack(AttackWindow window, OutcomeCounts outcomes) throws InterruptedException {
    int most = window.scaled(CONNECTIONS);
    try (Selector selector = Selector.open()) {
      List<SocketChannel> trickling = new ArrayList<>();
      int opened = 0;
      int peak = 0;
      long trickled = System.nanoTime();
      try {
        while (window.open()) {
          for (int i = openable(selector, most); i > 0; i--) {
            open(opened++, selector, trickling, outcomes);
          }
          drain(selector, outcomes);
          peak = Math.max(peak, selector.keys().size());
          if (System.nanoTime() - trickled > TRICKLE_NANOS) {
            trickle(trickling);
            trickled = System.nanoTime();
          }
          window.pause(BREATH);
        }
      } finally {
        outcomes.add("open at once", peak);
        giveUp(selector);
      }
    } catch (IOException e) {
      outcomes.count("ended by " + e.getMessage());
    }
  }

  private void giveUp(Selector selector) throws IOException {
    long now = System.nanoTime();
    int overdue = 0;
    for (SelectionKey key : selector.keys()) {
      overdue += key.channel().isOpen() && ((HalfRequest) key.attachment()).overdue(now) ? 1 : 0;
      key.channel().close();
    }
    if (overdue > 0) {
      faults.add(
          "%d half requests were still open after %d s."
              .formatted(overdue, GIVEN_UP_WITHIN.toSeconds()));
    }
  }

  @Override
  public List<String> faults() {
    return List.copyOf(faults);
  }

  /**
   * How many more may be opened now: limited by what is missing, by free file descriptors, and by
   * the batch size.
   */
  private static int openable(Selector selector, int most) {
    long files = Long.MAX_VALUE;
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
      files = unix.getMaxFileDescriptorCount() - OTHER_FILES - unix.getOpenFileDescriptorCount();
    }
    int missing = most - selector.keys().size();
    return Math.clamp(files, 0, Math.max(0, Math.min(missing, OPENED_AT_ONCE)));
  }

  private void open(
      int number, Selector selector, List<SocketChannel> trickling, OutcomeCounts outcomes) {
    try {
      SocketChannel channel = SocketChannel.open();
      try {
        channel.bind(new InetSocketAddress("127.0.0." + (1 + number % ADDRESSES), 0));
        channel.configureBlocking(false);
        channel.connect(new InetSocketAddress("127.0.0.1", target.port(number / KINDS)));
        channel.register(selector, SelectionKey.OP_CONNECT, new HalfRequest(number % KINDS));
        if (number % KINDS == 2) {
          trickling.add(channel);
        }
        outcomes.count("opened");
      } catch (IOException e) {
        channel.close();
        throw e;
      }
    } catch (IOException e) {
      outcomes.count("not opened: " + e.getMessage());
    }
  }

  /** Sends the first bytes on new connections, and gives up those that were cut off. */
  private static void drain(Selector selector, OutcomeCounts outcomes) throws IOException {
    selector.selectNow();
    ByteBuffer answer = ByteBuffer.allocate(4096);
    for (SelectionKey key : selector.selectedKeys()) {
      SocketChannel channel = (SocketChannel) key.channel();
      try {
        if (key.isConnectable() && channel.finishConnect()) {
          HalfRequest request = (HalfRequest) key.attachment();
          channel.write(ByteBuffer.wrap(first(request.kind)));
          request.begunNanos = System.nanoTime();
          key.interestOps(SelectionKey.OP_READ);
        } else if (key.isReadable()) {
          answer.clear();
          int length = channel.read(answer);
          if (length < 0) {
            outcomes.count("ended by the group");
            channel.close();
          } else {
            outcomes.count(new String(answer.array(), 0, Math.min(12, length), US_ASCII));
          }
        }
      } catch (IOException e) {
        outcomes.count("cut off");
        channel.close();
      }
    }
    selector.selectedKeys().clear();
  }

  private static byte[] first(int kind) {
    return switch (kind) {
      case 0 -> HEAD;
      case 1 -> BODY;
      default -> TRICKLING;
    };
  }

  private static void trickle(List<SocketChannel> trickling) {
    trickling.removeIf(channel -> !channel.isOpen());
    for (SocketChannel channel : trickling) {
      try {
        if (channel.isConnected()) {
          channel.write(ByteBuffer.wrap(new byte[] {'x'}));
        }
      } catch (IOException e) {
        // The selector finds it.
      }
    }
  }
}
