package joshua.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.databind.util.RawValue;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;

/**
 * One JSON value in UTF-8 that is put into a tree without being parsed or copied. It is written
 * unchanged, so it must be well-formed.
 */
public final class RawJson implements SerializableString {
  private final byte[] utf8;

  private RawJson(byte[] utf8) {
    this.utf8 = utf8;
  }

  /**
   * A tree value of these bytes.
   *
   * @param utf8 must not be changed any more
   */
  public static RawValue of(byte[] utf8) {
    return new RawValue(new RawJson(utf8));
  }

  @Override
  public String getValue() {
    return new String(utf8, UTF_8);
  }

  @Override
  public int charLength() {
    return getValue().length();
  }

  @Override
  public byte[] asUnquotedUTF8() {
    return utf8;
  }

  @Override
  public int appendUnquotedUTF8(byte[] buffer, int offset) {
    if (utf8.length > buffer.length - offset) {
      return -1;
    }
    System.arraycopy(utf8, 0, buffer, offset, utf8.length);
    return utf8.length;
  }

  @Override
  public int appendUnquoted(char[] buffer, int offset) {
    String value = getValue();
    if (value.length() > buffer.length - offset) {
      return -1;
    }
    value.getChars(0, value.length(), buffer, offset);
    return value.length();
  }

  @Override
  public int writeUnquotedUTF8(OutputStream out) throws IOException {
    out.write(utf8);
    return utf8.length;
  }

  @Override
  public int putUnquotedUTF8(ByteBuffer buffer) {
    try {
      buffer.put(utf8);
      return utf8.length;
    } catch (BufferOverflowException e) {
      return -1;
    }
  }

  @Override
  public char[] asQuotedChars() {
    throw unquoted();
  }

  @Override
  public byte[] asQuotedUTF8() {
    throw unquoted();
  }

  @Override
  public int appendQuotedUTF8(byte[] buffer, int offset) {
    throw unquoted();
  }

  @Override
  public int appendQuoted(char[] buffer, int offset) {
    throw unquoted();
  }

  @Override
  public int writeQuotedUTF8(OutputStream out) {
    throw unquoted();
  }

  @Override
  public int putQuotedUTF8(ByteBuffer buffer) {
    throw unquoted();
  }

  private static UnsupportedOperationException unquoted() {
    return new UnsupportedOperationException("a JSON value is no text to be quoted");
  }

  @Override
  public String toString() {
    return getValue();
  }
}
