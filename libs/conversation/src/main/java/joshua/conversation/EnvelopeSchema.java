package joshua.conversation;

import joshua.kernel.ResourceText;

/** The JSON Schema of the envelope, for participants that are written without this library. */
public final class EnvelopeSchema {
  private EnvelopeSchema() {}

  /** The schema as JSON text. */
  public static String text() {
    return ResourceText.beside(EnvelopeSchema.class, "envelope.schema.json")
        .orElseThrow(() -> new IllegalStateException("the schema is shipped beside its class"));
  }
}
