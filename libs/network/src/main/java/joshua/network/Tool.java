package joshua.network;

import java.util.concurrent.CompletableFuture;
import joshua.kernel.Role;

/**
 * Something that a service can do: a record in, a record out, a function. Every protocol offers the
 * same tools.
 *
 * @param title for people, a few words
 * @param description for models; clients cut what is beyond {@value #MAX_DESCRIPTION} characters
 * @param output of what a success answers; its first component is {@code status}
 * @param role the least role that may call it
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

  boolean isFor(Audience user) {
    return audience.compareTo(user) <= 0;
  }

  /** Who uses a tool; each may also use what those before it may. */
  public enum Audience {
    /** Models: it is among the tools that MCP lists. */
    MODEL,
    /** Programs that know of it: it can be called by MCP and frames, and isn't listed. */
    PROGRAM,
    /** Administrators, by the command line, SSH and the console. */
    ADMIN
  }

  /**
   * What a tool does. Calls of one connection are begun in their order on the thread that reads it,
   * so this mustn't wait; a tool that waits does so in {@link ToolCall#onThreadOfItsOwn}.
   */
  @FunctionalInterface
  public interface Function<I> {
    CompletableFuture<ToolResult> begin(I input, ToolCall call);
  }
}
