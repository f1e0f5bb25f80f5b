package joshua.network;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import java.io.IOException;
import java.io.OutputStream;

/** A JSON object that is passed on byte for byte, without being parsed into a tree. */
public final class RawJson implements JsonSerializable {
  private final byte[] utf8;

  /** Wraps valid JSON, which must not be modified any more. */
  public RawJson(byte[] utf8) {
    this.utf8 = utf8;
  }

  /** The text, which must not be modified. */
  public byte[] utf8() {
    return utf8;
  }

  @Override
  public void serialize(JsonGenerator generator, SerializerProvider serializers)
      throws IOException {
    generator.writeRawValue("");
    generator.flush();
    ((OutputStream) generator.getOutputTarget()).write(utf8);
  }

  @Override
  public void serializeWithType(
      JsonGenerator generator, SerializerProvider serializers, TypeSerializer types)
      throws IOException {
    serialize(generator, serializers);
  }
}
