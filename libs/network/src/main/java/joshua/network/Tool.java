package joshua.network;

import java.util.concurrent.CompletableFuture;
import joshua.kernel.Role;

/**
 * A tool of a service: an input record, an output record and a function. Every protocol offers the
 * same tools.
 *
 * @param title for people, a few words
 * @param description for models; clients cut it after {@value #MAX_DESCRIPTION} characters
 * @param output the type of successful results; its first component is {@code status}
 * @param role the role needed to call it
 */
public record Tool<I extends Record>(
    String name,
    String title,
    String description,
    Class<I> input,
    Class<? extends Record> output,
    Audience audience,
    Role role,
    ToolHints hints,
    Function<I> function) {
  static final int MAX_DESCRIPTION = 2048;

  public Tool {
    if (description.length() > MAX_DESCRIPTION) {
      throw new IllegalArgumentException(name + " has too long a description");
    }
  }

  /** The same by another name. */
  public Tool<I> renamed(String other) {
    return new Tool<>(other, title, description, input, output, audience, role, hints, function);
  }

  /** The same for others. */
  public Tool<I> forAudience(Audience users) {
    return new Tool<>(name, title, description, input, output, users, role, hints, function);
  }

  boolean isFor(Audience user) {
    return audience.compareTo(user) <= 0;
  }

  /** The users of a tool; each may also use the tools of those before it. */
  public enum Audience {
    /** Models: it is among the tools that MCP lists. */
    MODEL,
    /** Programs that know it: it can be called by MCP and frames, but isn't listed. */
    PROGRAM,
    /** Administrators, by the command line, SSH and the console. */
    ADMIN
  }

  /**
   * The implementation of a tool. Calls of one connection are begun in order on the thread that
   * reads it, so this must not block, except in {@link ToolCall#runBlocking}.
   */
  @FunctionalInterface
  public interface Function<I> {
    CompletableFuture<ToolResult> begin(I input, ToolCall call);
  }
}
