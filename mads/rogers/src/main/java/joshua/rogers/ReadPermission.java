package joshua.rogers;

import java.util.Optional;
import joshua.conversation.Channel;
import joshua.kernel.DirectReaders;
import joshua.kernel.Role;
import joshua.network.Caller;
import org.jspecify.annotations.Nullable;

/**
 * What a caller may read of what others say to each other: what it sent, what is addressed to it,
 * topics and broadcasts; or all.
 *
 * @param viewer who reads only that; empty: all is seen
 */
record ReadPermission(Optional<String> viewer) {
  /** Of prompts: viewers see their own, everybody else, and everybody without tokens, all. */
  static ReadPermission ofPrompts(Caller caller) {
    return new ReadPermission(caller.role() == Role.VIEWER ? caller.identity() : Optional.empty());
  }

  /** Of messages: who may read direct messages between others sees all. */
  static ReadPermission ofMessages(Caller caller, DirectReaders readers) {
    return new ReadPermission(
        readers.include(caller.identity(), caller.role()) ? Optional.empty() : caller.identity());
  }

  /** For statements: null where all is seen. */
  @Nullable String viewerOrNull() {
    return viewer.orElse(null);
  }

  /** Whether what is about {@code requester} alone is seen. */
  boolean sees(String requester) {
    return viewer.isEmpty() || viewer.get().equals(requester);
  }

  /** Whether what was published on a channel is seen, whoever said it. */
  boolean seesChannel(String name) {
    Optional<Channel> channel = Channel.parse(name);
    return viewer.isEmpty()
        || channel.map(Channel::kind).filter(ReadPermission::isForMany).isPresent()
        || channel.flatMap(Channel::recipient).equals(viewer);
  }

  /**
   * Whether the beginning of a malformed message on a channel is seen. Nobody knows whom one on a
   * direct channel was really meant for, so that it is for admins alone.
   */
  static boolean seesHead(Caller caller, String channel) {
    return caller.identity().isEmpty() || caller.role() == Role.ADMIN || isForMany(channel);
  }

  /** Whether a channel is a topic or the broadcast. */
  static boolean isForMany(String name) {
    return Channel.parse(name).map(Channel::kind).filter(ReadPermission::isForMany).isPresent();
  }

  private static boolean isForMany(Channel.Kind kind) {
    return kind == Channel.Kind.TOPIC || kind == Channel.Kind.BROADCAST;
  }
}
