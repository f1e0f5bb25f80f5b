package joshua.example.weather;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.Draft;
import joshua.conversation.redis.RedisConversation;
import joshua.kernel.Json;

/** A participant called {@code weather}: whoever asks it about a city gets an answer. */
public final class WeatherService {
  private WeatherService() {}

  public static void main(String[] args) throws Exception {
    Map<String, String> settings = System.getenv();
    String url = settings.getOrDefault("REDIS_URL", "redis://127.0.0.1:6379");
    Path file = Path.of(settings.getOrDefault("REDIS_PASSWORD_FILE", "data/redis.password"));
    String password = Files.readString(file).strip();

    ConversationBus bus = RedisConversation.join("weather", url, password);
    Runtime.getRuntime().addShutdownHook(new Thread(bus::close));
    bus.subscribe(
        new ChannelPattern("mad.direct.weather"),
        question -> {
          // Not everything that comes is a question: an answer to an answer would go on for ever.
          if (question.payload().path("city").isTextual()) {
            String city = question.payload().get("city").textValue();
            bus.send(Draft.answering(question, Json.object().put("city", city).put("sky", "grey")));
          }
        });
    System.out.println("The weather service is on the bus. Ctrl-C ends it.");
    Thread.currentThread().join();
  }
}
