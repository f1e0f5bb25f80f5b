package joshua.conversation;

/**
 * The key of the correlation id in the logging context: it is on every log line that a message
 * causes (REQ-JC-08).
 */
public final class CorrelationContext {
  /** The key in SLF4J's MDC. */
  public static final String KEY = "correlation_id";

  private CorrelationContext() {}
}
