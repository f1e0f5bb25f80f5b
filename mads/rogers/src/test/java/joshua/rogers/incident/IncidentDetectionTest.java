package joshua.rogers.incident;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import joshua.conversation.MessageBuffer.ReceivedMessage;
import joshua.conversation.RelayReports.Report;
import joshua.conversation.envelope.Channel;
import joshua.network.Access;
import joshua.rogers.count.TrafficCount;
import joshua.rogers.incident.Incident.Kind;
import joshua.testing.RawEnvelope;
import org.junit.jupiter.api.Test;

/** Storms, unheard messages, dead letters, and missed messages that relays report. */
class IncidentDetectionTest {
  private static final Access ACCESS = new Access(Set.of("grace", "fiedler", "rogers"));

  private static final Instant START = Instant.parse("2026-11-27T14:00:00Z");

  private final PendingIncidents incidents = new PendingIncidents();
  private Instant now = START;

  private TrafficCount count(String sender, String channel, long messages) {
    Channel.Kind kind = Channel.parse(channel).map(Channel::kind).orElse(Channel.Kind.STREAM);
    return new TrafficCount(START, sender, channel, kind, messages, messages, now);
  }

  private List<Incident> found() {
    List<Incident> found = incidents.all();
    incidents.clear();
    return found;
  }

  private List<String> subjects() {
    return found().stream().map(each -> each.subject() + " " + each.messages()).toList();
  }

  @Test
  void whoSendsFarMoreThanUsualIsAStorm() {
    StormDetector storms = new StormDetector(incidents, now);
    for (int second = 0; second < 30; second++) {
      now = now.plusSeconds(1);
      List<TrafficCount> counts = new ArrayList<>();
      counts.add(count("loud", "mad.topic.x", 150));
      counts.add(count("loud", "mad.direct.y", 50));
      counts.add(count("usual", "mad.topic.x", 150));
      counts.add(count("fiedler", "mad.stream.*", 900));
      counts.add(count("short", "mad.topic.x", second == 8 ? 1 : 300));
      counts.add(count("?", "mad.topic.x", 900));
      storms.check(counts, now, sender -> sender.equals("usual") ? 3_600 * 100 : 0);
      if (second == 8) {
        assertThat(found()).as("nine seconds").isEmpty();
      }
    }
    List<Incident> found = found();
    assertThat(found).extracting(Incident::subject).containsExactlyInAnyOrder("loud", "short");
    assertThat(found.getFirst().detail())
        .isEqualTo("200 messages a second for 10 s; 0.0 in the hour before");
  }

  private Map<String, Long> subscribed = Map.of();

  private boolean hasUnknownPatterns;

  private UnheardDetector detector(Predicate<String> isKnown) {
    return detector(isKnown, _ -> Optional.of(subscribed));
  }

  private UnheardDetector detector(
      Predicate<String> isKnown,
      Function<Collection<String>, Optional<Map<String, Long>>> subscribers) {
    Archivists none = new Archivists(ACCESS);
    return new UnheardDetector(
        incidents, isKnown, none, ACCESS, subscribers, () -> hasUnknownPatterns);
  }

  private List<String> unheard(Map<String, Integer> followed, TrafficCount... counts) {
    UnheardDetector unheard = detector("bob"::equals);
    unheard.add(List.of(counts));
    unheard.check(now, List.of());
    now = now.plusSeconds(12);
    List<Report> relay = List.of(new Report("grace", "one", now, followed, Map.of(), Map.of()));
    unheard.check(now, relay);
    assertThat(found()).isEmpty();
    now = now.plusSeconds(1);
    unheard.check(now, relay);
    unheard.check(now, relay);
    return subjects();
  }

  @Test
  void whatNobodyReceivesIsUnheard() {
    subscribed = Map.of("mad.topic.watched", 1L);
    assertThat(
            unheard(
                Map.of("mad.topic.news", 1, "mad.topic.a*", 2, "mad.*", 1, "mad.direct.desk", 1),
                count("ann", "mad.topic.silent", 2)))
        .as("somebody follows everything")
        .isEmpty();
    assertThat(
            unheard(
                Map.of("mad.topic.news", 1, "mad.topic.a*", 2, "mad.direct.desk", 1),
                count("ann", "mad.topic.news", 1),
                count("ann", "mad.topic.abc", 1),
                count("ann", "mad.topic.watched", 1),
                count("ann", "mad.topic.silent", 2),
                count("bob", "mad.topic.silent", 3),
                count("ann", "mad.direct.desk", 1),
                count("ann", "mad.direct.bbo", 1),
                count("grace", "mad.direct.bbo", 2),
                count("fiedler", "mad.direct.admin", 1),
                count("fiedler", "mad.topic.fiedler.x", 1),
                count("fiedler", "mad.stream.x", 1)))
        .as("a direct message is its sender's loss")
        .containsExactlyInAnyOrder("mad.topic.silent 5", "mad.direct.bbo 1", "mad.direct.bbo 2");
  }

  /** Whoever sends it: an agent, a person by the relay, a service that answers. */
  @Test
  void whatIsSentToSomebodyKnownWhoIsAwayIsLost() {
    assertThat(
            unheard(
                Map.of("mad.direct.desk", 1),
                count("ann", "mad.direct.bob", 1),
                count("ann", "mad.direct.bob", 1),
                count("grace", "mad.direct.bob", 1),
                count("fiedler", "mad.direct.bob", 1),
                count("ann", "mad.direct.desk", 1)))
        .containsExactly("bob 2", "bob 1", "bob 1");
  }

  /** 40 who talk on a busy bus, and ten who write to names that nobody has. */
  @Test
  void aBusyBusHidesNothingAndWhatIsTooMuchIsSaid() {
    List<TrafficCount> counts = new ArrayList<>();
    Set<String> asked = new HashSet<>();
    for (int i = 0; i < 12_000; i++) {
      counts.add(count("ann", "mad.direct.p" + i, 1));
    }
    UnheardDetector unheard =
        detector(
            _ -> false,
            channels -> {
              asked.addAll(channels);
              return Optional.of(Map.of("mad.direct.p7", 1L));
            });
    Map<String, Integer> followed = new HashMap<>();
    for (int i = 100; i < 500; i++) {
      followed.put("mad.direct.p" + i, 1);
    }
    List<Report> relay =
        List.of(new Report("grace", "one", now.plusSeconds(13), followed, Map.of(), Map.of()));
    unheard.add(counts);
    unheard.check(now, relay);
    assertThat(asked).hasSize(10_000 - 400);
    now = now.plusSeconds(13);
    unheard.check(now, relay);
    List<Incident> found = found();
    assertThat(
            found.stream()
                .filter(each -> each.kind() == Kind.UNHEARD)
                .mapToLong(Incident::messages)
                .sum())
        .isEqualTo(10_000 - 400 - 1);
    assertThat(found)
        .filteredOn(each -> each.kind() == Kind.UNJUDGED)
        .singleElement()
        .satisfies(each -> assertThat(each.messages()).isEqualTo(2_000));
  }

  @Test
  void whatRedisDoesNotAnswerIsAskedAgainAndThenNothingIsClaimed() {
    Deque<Optional<Map<String, Long>>> answers =
        new ArrayDeque<>(List.of(Optional.empty(), Optional.of(Map.of())));
    UnheardDetector unheard =
        detector(_ -> false, _ -> answers.isEmpty() ? Optional.empty() : answers.remove());
    unheard.add(List.of(count("ann", "mad.topic.late", 2)));
    unheard.check(now, List.of());
    unheard.check(now, List.of()); // which has an answer
    unheard.add(List.of(count("ann", "mad.topic.x", 3)));
    unheard.check(now, List.of());
    now = now.plusSeconds(13);
    unheard.check(now, List.of());
    assertThat(found())
        .extracting(each -> each.kind().word() + " " + each.messages())
        .containsExactlyInAnyOrder("unheard 2", "unjudged 3");
  }

  @Test
  void followersOfAMomentReceiveWhatIsPublishedInIt() {
    Set<String> known = new HashSet<>();
    UnheardDetector unheard = detector(known::contains);
    for (int second = 0; second < 30; second++) {
      now = now.plusSeconds(1);
      if (second % 10 == 0) {
        unheard.add(List.of(count("ann", "mad.topic.news", 1), count("ann", "mad.direct.dan", 1)));
      }
      Map<String, Integer> followed = second == 1 ? Map.of("mad.topic.*", 1) : Map.of();
      Report relay = new Report("grace", "one", now, followed, Map.of(), Map.of());
      unheard.check(now, List.of(relay));
      known.add("dan"); // heard a moment after the first message to it
    }
    assertThat(subjects()).containsExactlyInAnyOrder("dan 2", "mad.topic.news 1");
  }

  @Test
  void whatWasSentBeforeItsOnlyFollowerLeftWasReceived() {
    UnheardDetector unheard = detector(_ -> true);
    Map<String, Instant> left =
        Map.of("mad.topic.n*", now, "mad.direct.dan", now, "mad.direct.*", now.plusSeconds(9));
    for (int n = 1; n <= 15; n++) {
      if (n <= 2) {
        unheard.add(List.of(count("ann", "mad.topic.news", n), count("ann", "mad.direct.dan", n)));
      }
      unheard.check(now, List.of(new Report("grace", "one", now, Map.of(), left, Map.of())));
      now = now.plusSeconds(1);
    }
    assertThat(subjects()).containsExactlyInAnyOrder("dan 2", "mad.topic.news 2");
  }

  @Test
  void anEavesdropperIsNoAddresseeAndAnUnknownFollowerMayBeOne() {
    hasUnknownPatterns = true;
    assertThat(
            unheard(
                Map.of("mad.*", 1),
                count("ann", "mad.topic.silent", 1),
                count("ann", "mad.direct.bbo", 1)))
        .containsExactly("mad.direct.bbo 1");
    assertThat(unheard(Map.of(), count("ann", "mad.topic.silent", 1))).isEmpty();
  }

  @Test
  void whatIsNoEnvelopeIsADeadLetter() {
    MessageInspector inspector = new MessageInspector(incidents, () -> 1_000, ACCESS);
    inspector.inspect(
        List.of(
            received("mad.topic.x", "garbage \u0007 ä"),
            received("mad.topic.x", "garbage again"),
            received("mad.t\u00e4t\u0001", "{" + "x".repeat(5_000)),
            received("mad.topic.y", RawEnvelope.on("mad.topic.x").without("timestamp").json())));
    inspector.inspect(List.of(received("mad.system.heartbeat", "beat")));
    List<Incident> found = found();
    assertThat(found).hasSize(4).allMatch(each -> each.kind() == Kind.DEAD_LETTER);
    assertThat(found.getFirst().messages()).isEqualTo(2);
    assertThat(found.getFirst().head()).isEqualTo("garbage \u0007 ä");
    assertThat(found.get(1).subject()).isEqualTo("mad.t?t?");
    assertThat(found.get(1).head()).hasSize(1_024);
    assertThat(found.get(2).detail())
        .contains("lacks timestamp", "; channel must be the channel it was published on");
    assertThat(found.get(3).subject()).isEqualTo("mad.system.heartbeat");
  }

  @Test
  void whatARelayToldItsClientsIsKept() {
    MessageInspector inspector = new MessageInspector(incidents, () -> 1_000, ACCESS);
    String report =
        """
        {"losers":[{"client_id":"ann","missed":7,"reason":"overflow"},
        {"client_id":"ann","missed":3,"reason":"overflow"},
        {"client_id":"bob","missed":null,"reason":"restart"},
        {"client_id":"no name","missed":1,"reason":"overflow"},
        {"client_id":"eve","missed":9000000000000000000,"reason":"overflow"}, 7],
        "patterns":{"mad.topic.x":2,"nonsense":1},"left":["mad.topic.y","a b",1],"unread":{"bob":3,"no name":1}}\
        """;
    ReceivedMessage told = from("grace", "mad.system.relay", report);
    inspector.inspect(List.of(told));
    assertThat(found()).as("of one who isn't a relay").isEmpty();
    assertThat(inspector.relays(now)).isEmpty();
    inspector.inspect(List.of(beat("grace"), told));
    assertThat(found())
        .extracting(each -> "%s %d %s".formatted(each.subject(), each.messages(), each.detail()))
        .containsExactly(
            "ann 10 overflow, as grace told it",
            "bob 0 restart, as grace told it",
            "eve 1000 overflow, as grace told it");
    Map<String, Integer> followed = Map.of("mad.topic.x", 2);
    Map<String, Instant> left = Map.of("mad.topic.y", now);
    assertThat(inspector.relays(now))
        .containsExactly(new Report("grace", "", now, followed, left, Map.of("bob", 3)));
  }

  @Test
  void relaysThatSayNothingMoreAreForgottenAndVeryManyAreNone() {
    MessageInspector inspector = new MessageInspector(incidents, () -> 1_000, ACCESS);
    for (int i = 0; i < 200; i++) {
      inspector.inspect(List.of(beat("relay-" + i), report("relay-" + i, "instance-" + i)));
    }
    assertThat(inspector.relays(now)).hasSize(20);
    now = now.plusSeconds(61);
    inspector.inspect(List.of(beat("relay-200"), report("relay-200", "instance-200")));
    assertThat(inspector.relays(now)).extracting(Report::relay).containsExactly("relay-200");
  }

  private ReceivedMessage beat(String relay) {
    String payload = "{\"status\":\"HEALTHY\",\"detail\":{\"tap\":\"t\"}}";
    return from(relay, "mad.system.heartbeat", payload);
  }

  private ReceivedMessage report(String relay, String instance) {
    String payload = "{\"instance\":\"%s\",\"patterns\":{\"mad.topic.x\":1}}";
    return from(relay, "mad.system.relay", payload.formatted(instance));
  }

  private ReceivedMessage from(String sender, String channel, String payload) {
    return received(channel, RawEnvelope.on(channel).from(sender).payload(payload).json());
  }

  private ReceivedMessage received(String channel, String body) {
    return new ReceivedMessage(channel, body.getBytes(UTF_8), now);
  }

  @Test
  void twoRelaysOfOneNameAreTwoAndOneThatLeavesIsGone() {
    MessageInspector inspector = new MessageInspector(incidents, () -> 1_000, ACCESS);
    inspector.inspect(List.of(beat("grace"), report("grace", "one"), report("grace", "two")));
    assertThat(inspector.relays(now)).hasSize(2);
    String leave = "{\"event\":\"leave\",\"instance\":\"one\",\"reason\":\"stopped\"}";
    inspector.inspect(List.of(from("grace", "mad.system.presence", leave)));
    assertThat(inspector.relays(now)).hasSize(1);
  }

  @Test
  void whatARelayHasNoRoomToTellIsNotJudged() {
    Map<String, Integer> followed = new HashMap<>();
    for (int i = 0; i < 500; i++) {
      followed.put("mad.topic." + i, 1);
    }
    assertThat(unheard(followed, count("ann", "mad.topic.7", 1), count("ann", "mad.direct.bob", 2)))
        .containsExactly("* 2");
  }

  @Test
  void veryManySubjectsAreOne() {
    for (int i = 0; i < 1_000; i++) {
      incidents.addProblem(Kind.DEAD_LETTER, now, "mad.topic." + i, 2, "no JSON");
    }
    List<Incident> found = found();
    assertThat(found).hasSize(201);
    assertThat(found.getLast().subject()).isEqualTo("*");
    assertThat(found.stream().mapToLong(Incident::messages).sum()).isEqualTo(2_000);
  }
}
