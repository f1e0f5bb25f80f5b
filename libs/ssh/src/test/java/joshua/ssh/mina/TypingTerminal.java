package joshua.ssh.mina;

import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import joshua.ssh.AdminConsole;
import org.awaitility.core.ConditionTimeoutException;

/** A terminal that a test types on and whose output it reads. */
final class TypingTerminal implements ShellSession.Terminal {
  private static final Duration SHOWN_WITHIN = Duration.ofSeconds(20);

  private final Keyboard keyboard = new Keyboard();
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final String type;
  private final List<Runnable> resized = new CopyOnWriteArrayList<>();
  private final List<Runnable> interrupted = new CopyOnWriteArrayList<>();
  private final List<Boolean> busy = new ArrayList<>();
  private volatile AdminConsole.Size size = new AdminConsole.Size(80, 24);
  private int seen;

  TypingTerminal(String type) {
    this.type = type;
  }

  TypingTerminal() {
    this("xterm-256color");
  }

  void type(String text) {
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      keyboard.keys.add(Byte.toUnsignedInt(each));
    }
  }

  /** Ends the input. */
  void hangUp() {
    keyboard.keys.add(Keyboard.END);
  }

  void resize(int columns, int rows) {
    size = new AdminConsole.Size(columns, rows);
    resized.forEach(Runnable::run);
  }

  void signalInterrupt() {
    interrupted.forEach(Runnable::run);
  }

  /** Waits until this is shown, after what was awaited before. */
  TypingTerminal awaitShown(String text) {
    try {
      await()
          .atMost(SHOWN_WITHIN)
          .pollInterval(Duration.ofMillis(10))
          .until(() -> shown().indexOf(text, seen) >= 0);
    } catch (ConditionTimeoutException e) {
      throw new AssertionError("not shown: " + text + " in " + visible(shown().substring(seen)), e);
    }
    seen = shown().indexOf(text, seen) + text.length();
    return this;
  }

  /** All output so far, including control characters. */
  String shown() {
    synchronized (shown) {
      return shown.toString(StandardCharsets.UTF_8);
    }
  }

  /** The reports of whether a verb runs. */
  List<Boolean> busy() {
    return List.copyOf(busy);
  }

  private static String visible(String text) {
    String last = text.substring(Math.max(0, text.length() - 2_000));
    return last.replace("\033", "\\e").replace("\r", "\\r");
  }

  @Override
  public InputStream in() {
    return keyboard;
  }

  @Override
  public OutputStream out() {
    return new OutputStream() {
      @Override
      public void write(int one) {
        write(new byte[] {(byte) one}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int from, int length) {
        synchronized (shown) {
          shown.write(bytes, from, length);
        }
      }
    };
  }

  @Override
  public String type() {
    return type;
  }

  @Override
  public AdminConsole.Size size() {
    return size;
  }

  @Override
  public void onResize(Runnable listener) {
    resized.add(listener);
  }

  @Override
  public void onInterrupt(Runnable listener) {
    interrupted.add(listener);
  }

  @Override
  public void busy(boolean verbRuns) {
    busy.add(verbRuns);
  }

  /** The input, for any thread that reads next; a pipe would end with its first reader. */
  private static final class Keyboard extends InputStream {
    private static final int END = -1;

    private final BlockingQueue<Integer> keys = new LinkedBlockingQueue<>();

    @Override
    public int read() throws InterruptedIOException {
      try {
        int key = keys.take();
        if (key == END) {
          keys.add(END);
        }
        return key;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException();
      }
    }

    @Override
    public int read(byte[] into, int from, int most) throws InterruptedIOException {
      if (most == 0) {
        return 0;
      }
      int key = read();
      if (key == END) {
        return END;
      }
      into[from] = (byte) key;
      return 1;
    }

    @Override
    public int available() {
      return keys.size();
    }
  }
}
