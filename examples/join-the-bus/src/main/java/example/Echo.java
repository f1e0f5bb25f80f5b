package example;

import java.nio.file.Files;
import java.nio.file.Path;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.redis.RedisConversation;

/** Joins the bus as {@code echo}, and answers whatever is sent to it, also while it was away. */
public final class Echo {
  /**
   * Runs until its standard input ends.
   *
   * @param arguments the address of Redis, and the file that has its password
   */
  public static void main(String[] arguments) throws Exception {
    String password = Files.readString(Path.of(arguments[1])).strip();
    try (ConversationBus bus = RedisConversation.join("echo", arguments[0], password)) {
      bus.catchUp(message -> bus.sendAsync(OutgoingMessage.answering(message, message.payload())));
      System.out.println("echo has joined; Enter ends it.");
      System.in.read();
    }
  }
}
