package joshua.example.weather;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.redis.RedisConversation;
import joshua.kernel.Json;

/** A participant, {@code weather} by default, that answers questions about cities. */
public final class WeatherService {
  private WeatherService() {}

  public static void main(String[] args) throws Exception {
    Map<String, String> settings = System.getenv();
    String url = settings.getOrDefault("REDIS_URL", "redis://127.0.0.1:6379");
    Path file = Path.of(settings.getOrDefault("REDIS_PASSWORD_FILE", "data/redis.password"));
    String password = Files.readString(file).strip();

    String name = args.length == 0 ? "weather" : args[0];
    ConversationBus bus = RedisConversation.join(name, url, password);
    Runtime.getRuntime().addShutdownHook(new Thread(bus::close));
    bus.subscribe(
        ChannelPattern.exactly(Channel.direct(name)),
        question -> {
          // An answer has a status. Don't answer it: that could go on forever.
          if (!question.isAnswer() && question.payload().path("city").isTextual()) {
            String city = question.payload().get("city").textValue();
            bus.send(
                OutgoingMessage.answering(
                    question,
                    Json.object().put("status", "success").put("city", city).put("sky", "grey")));
          }
        });
    System.out.println("The weather service is on the bus. Ctrl-C ends it.");
    Thread.currentThread().join();
  }
}
