package joshua.conversation;

/** The name of the correlation id in every log line that a message causes (REQ-JC-08). */
public final class CorrelationContext {
  /** The key in SLF4J's MDC. */
  public static final String KEY = "correlation_id";

  private CorrelationContext() {}
}
