package joshua.rogers;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import joshua.conversation.ConversationBus;
import joshua.conversation.Participant;
import joshua.conversation.redis.RedisLink;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;
import joshua.kernel.TimedWait;
import joshua.network.ToolRegistry;
import joshua.thought.LanguageModels;

/** All of Rogers on a {@link ObserverFixture}, with its default settings. */
public final class WholeRogers implements AutoCloseable {
  private final MeterRegistry meters = new SimpleMeterRegistry();
  private final ConversationBus bus;
  private final Rogers rogers;

  public WholeRogers(ObserverFixture fixture) throws Exception {
    InstantSource time = InstantSource.system();
    bus =
        new ConversationBus(
                new Participant(Rogers.NAME, "bench", "test", time.instant()),
                new RedisLink(Rogers.NAME, fixture.address(), TimedWait.system(), time),
                time,
                ObserverFixture.ENVELOPE_LIMIT,
                meters,
                ConversationBus::noDetail)
            .openUnannounced();
    Path here = Path.of("");
    Settings defaults =
        Settings.read(
            KnownSettings.list(), new Settings.Given(Map.of(), "", Map.of(), Map.of(), here, here));
    rogers =
        new Rogers(
            RogersConfig.from(defaults, List.of(), "test", time.instant()),
            fixture.database(),
            bus,
            fixture.tap(time),
            LanguageModels.none(),
            _ -> {
              throw new IllegalStateException("nobody asks here");
            },
            time,
            TimedWait.system(),
            meters);
    rogers.start();
  }

  Rogers rogers() {
    return rogers;
  }

  /** Its tools, as callers reach them. */
  ToolRegistry registry() {
    return new ToolRegistry(rogers.tools(), meters, InstantSource.system());
  }

  /** How many messages it has counted, its own included. */
  public long counted() {
    return (long) meters.get("joshua.rogers.messages").functionCounter().count();
  }

  @Override
  public void close() {
    rogers.close();
    bus.close();
  }
}
