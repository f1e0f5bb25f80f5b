package joshua.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.ssh.PrintableText;

/**
 * Makes the output of another encoder harmless for readers of the log, no matter who caused the
 * line: control and format characters are written as {@code \}{@code uXXXX}, and further lines of a
 * message or a stack trace are indented, so that none of them looks like a separate entry.
 */
final class PrintableEncoder extends EncoderBase<ILoggingEvent> {
  private static final String FURTHER_LINE = System.lineSeparator() + "    ";
  private static final String TAB = "    ";

  private final Encoder<ILoggingEvent> encoder;

  PrintableEncoder(Encoder<ILoggingEvent> encoder) {
    this.encoder = encoder;
  }

  @Override
  public byte[] headerBytes() {
    return encoder.headerBytes();
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    String text = new String(encoder.encode(event), UTF_8);
    String printable =
        Stream.of(withoutEnd(text).split("\n", -1))
            .map(PrintableEncoder::line)
            .collect(Collectors.joining(FURTHER_LINE));
    return (printable + System.lineSeparator()).getBytes(UTF_8);
  }

  private static String withoutEnd(String text) {
    String end = System.lineSeparator();
    return text.endsWith(end) ? text.substring(0, text.length() - end.length()) : text;
  }

  private static String line(String text) {
    return PrintableText.text(text.replace("\t", TAB));
  }

  @Override
  public byte[] footerBytes() {
    return encoder.footerBytes();
  }
}
