package joshua.conversation;

import joshua.kernel.ResourceText;

/** The JSON Schema of the envelope, for participants that don't use this library. */
public final class EnvelopeSchema {
  private EnvelopeSchema() {}

  /** The schema as JSON text. */
  public static String text() {
    return ResourceText.beside(EnvelopeSchema.class, "envelope.schema.json")
        .orElseThrow(() -> new IllegalStateException("the schema is shipped beside its class"));
  }
}
