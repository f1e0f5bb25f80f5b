package joshua.conversation;

/**
 * The logging context that puts a message's correlation id on every log line that it causes
 * (REQ-JC-08).
 */
public final class CorrelationContext {
  /** The key in SLF4J's MDC. */
  public static final String KEY = "correlation_id";

  private CorrelationContext() {}
}
