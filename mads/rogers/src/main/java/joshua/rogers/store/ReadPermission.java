package joshua.rogers.store;

import java.util.Optional;
import joshua.conversation.Channel;
import joshua.kernel.DirectReaders;
import joshua.kernel.Role;
import joshua.network.Caller;
import org.jspecify.annotations.Nullable;

/**
 * What a caller may read of messages between others: either only what it sent, what is addressed to
 * it, topics and broadcasts; or everything.
 *
 * @param viewer the caller that may read only that; empty: it may read everything
 */
public record ReadPermission(Optional<String> viewer) {
  /**
   * The permission for prompts: viewers see their own; all others, and all callers without tokens,
   * see all.
   */
  public static ReadPermission ofPrompts(Caller caller) {
    return new ReadPermission(caller.role() == Role.VIEWER ? caller.identity() : Optional.empty());
  }

  /**
   * The permission for messages: a caller that may read direct messages between others sees all.
   */
  public static ReadPermission ofMessages(Caller caller, DirectReaders readers) {
    return new ReadPermission(
        readers.include(caller.identity(), caller.role()) ? Optional.empty() : caller.identity());
  }

  /** For statements: null where everything may be read. */
  @Nullable
  public String viewerOrNull() {
    return viewer.orElse(null);
  }

  /** Whether what concerns {@code requester} alone may be read. */
  public boolean sees(String requester) {
    return viewer.isEmpty() || viewer.get().equals(requester);
  }

  /** Whether what was published on a channel may be read, no matter by which sender. */
  boolean seesChannel(String name) {
    Optional<Channel> channel = Channel.parse(name);
    return viewer.isEmpty()
        || channel.map(Channel::kind).filter(ReadPermission::isForMany).isPresent()
        || channel.flatMap(Channel::recipient).equals(viewer);
  }

  /**
   * Whether the beginning of a malformed message on a channel may be read. It is unknown for whom
   * one on a direct channel was really meant, so only admins may.
   */
  public static boolean seesHead(Caller caller, String channel) {
    return caller.identity().isEmpty() || caller.role() == Role.ADMIN || isForMany(channel);
  }

  /** Whether a channel is a topic or the broadcast. */
  public static boolean isForMany(String name) {
    return Channel.parse(name).map(Channel::kind).filter(ReadPermission::isForMany).isPresent();
  }

  private static boolean isForMany(Channel.Kind kind) {
    return kind == Channel.Kind.TOPIC || kind == Channel.Kind.BROADCAST;
  }
}
