package joshua.ssh.mina;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Output to a terminal, with line ends written as {@code \r\n}. Used by one thread at a time. */
final class TerminalOutput extends OutputStream {
  private final OutputStream out;
  private int last = '\n';

  TerminalOutput(OutputStream out) {
    this.out = out;
  }

  /** Whether the last thing written was a line end. */
  boolean atLineStart() {
    return last == '\n';
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    ByteArrayOutputStream converted = new ByteArrayOutputStream(length + 64);
    for (int i = from; i < from + length; i++) {
      if (bytes[i] == '\n' && last != '\r') {
        converted.write('\r');
      }
      converted.write(bytes[i]);
      last = bytes[i];
    }
    converted.writeTo(out);
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }
}
