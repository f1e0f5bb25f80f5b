package joshua.rogers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import joshua.kernel.Json;
import joshua.network.Access;
import joshua.state.query.NamedQuery;
import joshua.thought.ParsedPrompt;
import joshua.thought.Router;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The prompts that Rogers' router parses, and those that it leaves to a model. */
class RogersRouterTest {
  private final Router router =
      new Router(
          Rogers.queries(Json.mapper()::createArrayNode, Json.mapper()::createArrayNode),
          Set.of("ann", "ci-bot", "bob", "messages", "rogers")::contains,
          new Access(Set.of("grace", "fiedler", "rogers")),
          InstantSource.fixed(Instant.parse("2026-11-18T15:30:00Z")));

  private String read(String prompt) {
    return switch (router.parse(prompt, "ann")) {
      case ParsedPrompt.Help help -> "help";
      case ParsedPrompt.Ask ask -> ask.command();
      case ParsedPrompt.Unrecognized unread -> "-";
    };
  }

  @ParameterizedTest
  @CsvSource({
    "who's online?, connections status=PRESENT",
    "who's on right now?, connections status=PRESENT",
    "is everybody alive?, connections",
    "is bob alive?, connections participant=bob",
    "when did you last hear from bob?, connections participant=bob",
    "is rogers there?, connections participant=rogers",
    "Is Bob there?, connections participant=bob",
    "who is away?, connections status=AWAY",
    "who is on the bus?, connections status=PRESENT",
    "was anything lost today?, losses since=2026-11-18T00:00:00.000Z",
    "is anything wrong?, problems",
    "rogers uptime, service",
    "anyone stale?, connections status=STALE",
    "how many participants are there, connections",
    "who was on the bus an hour ago, connections at=2026-11-18T14:30:00.000Z status=PRESENT",
    "who was there at 18:00, connections at=2026-11-17T18:00:00.000Z status=PRESENT",
    "who left today?, changes since=2026-11-18T00:00:00.000Z which=left",
    "when did bob join?, changes participant=bob which=came",
    "how many came today?, changes since=2026-11-18T00:00:00.000Z which=came",
    "how many left in the last hour?, changes since=2026-11-18T14:30:00.000Z which=left",
    "who came back today?, changes since=2026-11-18T00:00:00.000Z which=back",
    "when did bob come back?, changes participant=bob which=back",
    "who came today and left?, changes since=2026-11-18T00:00:00.000Z which=moved",
    "who has gone silent since 15:06?, changes since=2026-11-18T15:06:00.000Z which=silent",
    "who has been silent since 15:06?, -",
    "how many messages does bob have?, -",
    "how many messages do I have?, -",
    "how many messages have I?, -",
    "who has the most messages?, unread",
    "how many messages do we have?, traffic by=total",
    "how many clients does rogers have?, -",
    "which channel has the most traffic?, channels",
    "which hour has the most messages?, traffic by=hour",
    "how many subscribers does mad.topic.news have?, listeners channel=mad.topic.news",
    "what problems did we have today?, problems since=2026-11-18T00:00:00.000Z",
    "who left before 1 p.m.?, changes until=2026-11-18T13:00:00.000Z which=left",
    "who's missing?, connections status=DISCONNECTED",
    "who came and went between 14:00 and 15:00, changes since=2026-11-18T14:00:00.000Z until=2026-11-18T15:00:00.000Z which=moved",
    "who sent the most messages today?, traffic since=2026-11-18T00:00:00.000Z",
    "how many direct messages did bob send, traffic kind=mad.direct participant=bob by=total",
    "how much have I sent today, traffic participant=ann since=2026-11-18T00:00:00.000Z by=total",
    "messages per hour today, traffic since=2026-11-18T00:00:00.000Z by=hour",
    "top 10 channels, channels limit=10",
    "who posts to mad.topic.news?, channels channel=mad.topic.news",
    "who is listening to mad.topic.news?, listeners channel=mad.topic.news",
    "who does bob talk to?, talks participant=bob",
    "who talks to bob?, talks recipient=bob",
    "who sent most messages to ann?, talks recipient=ann",
    "how many messages did bob send to ann?, talks participant=bob recipient=ann",
    "what's the current throughput?, rate",
    "did we lose anything?, losses",
    "did I miss any messages since noon?, losses participant=ann since=2026-11-18T12:00:00.000Z",
    "any malformed messages?, dead_letters",
    "are there any message loops, alarms kind=loop",
    "is everything ok?, problems",
    "is everything healthy?, problems",
    "who is healthy?, connections status=HEALTHY",
    "any errors?, problems",
    "when did bob go away?, changes participant=bob",
    "who has been writing to ghost?, talks recipient=ghost",
    "were there times you weren't watching?, not_seen",
    "'any garbage on the bus, and on which channel?', dead_letters",
    "who left in the last ten minutes and why, changes since=2026-11-18T15:20:00.000Z which=left",
    "who does bob write to most, talks participant=bob",
    "did anyone write to nemo?, talks recipient=nemo",
    "any broken messages on mad.topic.news, dead_letters channel=mad.topic.news",
    "anything wrong I should know about?, problems",
    "who was on the bus at 15:12:51?, connections at=2026-11-18T15:12:51.000Z status=PRESENT",
    "anybody gone quiet in the last 5 minutes?, changes since=2026-11-18T15:25:00.000Z which=silent",
    "does bob talk to ann?, talks participant=bob recipient=ann",
    "any garbage on the wire? who sent it?, dead_letters",
    "which version of rogers is this, service",
    "version, service",
    "timeline since=12:10 until=yesterday, timeline since=2026-11-18T12:10:00.000Z until=2026-11-17T00:00:00.000Z",
    "who's around at the moment?, connections status=PRESENT",
    "is bob still listening?, connections participant=bob",
    "which agents have dropped off in the last ten minutes and when exactly?, changes since=2026-11-18T15:20:00.000Z which=left",
    "how many messages did each agent put out in the past half hour?, traffic since=2026-11-18T15:00:00.000Z by=sender",
    "break the traffic down by hour for today, traffic since=2026-11-18T00:00:00.000Z by=hour",
    "which topics are the busiest?, channels kind=mad.topic",
    "what went on between 14:46 and 14:48?, timeline since=2026-11-18T14:46:00.000Z until=2026-11-18T14:48:00.000Z",
    "is somebody flooding the bus right now?, alarms kind=storm",
    "what version are you and how long have you been up?, service",
    "what broke in the last quarter of an hour?, problems since=2026-11-18T15:15:00.000Z",
    "who sent the broken message?, dead_letters",
    "what has been going on since 14:30?, timeline since=2026-11-18T14:30:00.000Z",
    "what happened in the last half an hour?, timeline since=2026-11-18T15:00:00.000Z",
    "when did bob last say something?, connections participant=bob",
    "who is ann?, connections participant=ann",
    "what happened at 14:30?, timeline at=2026-11-18T14:30:00.000Z",
    "when were you not watching yesterday, not_seen since=2026-11-17T00:00:00.000Z until=2026-11-18T00:00:00.000Z",
    "which version are you?, service",
    "tasks requester=me, tasks requester=ann",
    "what was unheard since 23:00, unheard since=2026-11-17T23:00:00.000Z",
    "what was unheard between 22:00 and 04:00, unheard since=2026-11-17T22:00:00.000Z until=2026-11-18T04:00:00.000Z",
    "who left from 22:00 to noon, changes since=2026-11-17T22:00:00.000Z until=2026-11-18T12:00:00.000Z which=left",
    "who left since 14:00 until 13:00, changes since=2026-11-18T14:00:00.000Z until=2026-11-19T13:00:00.000Z which=left",
    "who left after 16:00, changes since=2026-11-17T16:00:00.000Z which=left",
    "Which MADs are most active?, traffic",
    "which services are online?, connections status=PRESENT",
    "which clients sent the most messages?, traffic",
    "who sent messages to me?, talks recipient=ann",
    "show me the last 5 losses, losses limit=5",
    "what did nobody receive?, unheard",
    "who has unread messages?, unread",
    "are there any unread messages, unread",
  })
  void isRead(String prompt, String command) {
    assertThat(read(prompt)).isEqualTo(command);
  }

  @Test
  void longPromptsAreLeftToAModel() {
    assertThat(read("who's online?" + " ".repeat(2_000))).isEqualTo("-");
  }

  @Test
  void aQueryThatIsNamedIsAmongTheNearest() {
    assertThat(router.parse("how many tasks failed?", "ann"))
        .isInstanceOfSatisfying(
            ParsedPrompt.Unrecognized.class,
            unread ->
                assertThat(unread.suggestions()).extracting(NamedQuery::name).contains("tasks"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "disconnect bob please", "who sent the most messages last",
        "can you reconnect ci-bot?", "send hello to bob",
        "show me the last 10 messages on mad.topic.news", "what did bob say?",
        "what did bob write to ann?", "I need someone to talk to bob",
        "please do talk to bob", "get going on this",
        "what failed on rogers today?", "how many messages did bob get today?",
        "how many tasks failed?", "which of rogers' tasks went to bob?",
        "what went wrong with bob?", "how do I send a message to bob?",
        "send bob many messages", "send many messages to bob",
        "did I send more than bob?", "tell ann that everything is lost",
        "drop the loop", "clear the dead letters",
        "stop watching", "mute the noisiest sender",
        "why is the bus so slow?", "is it going to rain today?",
        "restart grace", "delete all alarms",
        "make bob leave"
      })
  void workAndOtherQuestionsArePassedOn(String prompt) {
    assertThat(read(prompt)).isEqualTo("-");
  }
}
