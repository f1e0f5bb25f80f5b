package joshua.rogers;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import joshua.conversation.EnvelopeCodec;
import joshua.testing.RawEnvelope;
import org.jspecify.annotations.Nullable;

/**
 * A participant of the simulated hours, with its messages and their times, generated beforehand.
 */
record SimulatedParticipant(
    String name, NavigableMap<Instant, List<SimulatedParticipant.Said>> lines) {
  enum Kind {
    JOIN,
    BEAT,
    LEAVE,
    TALK
  }

  /** One message, with what the contract needs to know about it. */
  record Said(
      Kind kind,
      String instance,
      @Nullable Integer interval,
      @Nullable Instant busyUntil,
      boolean viaGrace,
      RawEnvelope message) {}

  /** Its messages at exactly this moment of the clock. */
  List<Said> says(Instant now) {
    return lines.getOrDefault(now, List.of());
  }

  private static final long STEP_MILLIS = 500;

  /** Draws up one participant. */
  private static final class Script {
    private final String name;
    private final Instant begin;
    private final Duration span;
    private final Random random;
    private final NavigableMap<Instant, List<Said>> lines = new TreeMap<>();

    Script(String name, Instant begin, Duration span, Random random) {
      this.name = name;
      this.begin = begin;
      this.span = span;
      this.random = random;
    }

    SimulatedParticipant actor() {
      return new SimulatedParticipant(name, lines);
    }

    boolean over(long millis) {
      return millis >= span.toMillis();
    }

    /** A time between two, in seconds, in steps of the clock. */
    long between(int low, int high) {
      long millis = low * 1_000L + random.nextInt((high - low) * 1_000);
      return millis - millis % STEP_MILLIS;
    }

    private void say(long millis, Said said) {
      if (!over(millis)) {
        lines.computeIfAbsent(begin.plusMillis(millis), any -> new ArrayList<>()).add(said);
      }
    }

    private RawEnvelope on(String channel, String payload) {
      return RawEnvelope.on(channel).from(name).payload(payload);
    }

    void join(long millis, String instance) {
      String payload =
          "{\"event\":\"join\",\"instance\":\"%s\",\"reason\":\"started\"}".formatted(instance);
      say(
          millis,
          new Said(Kind.JOIN, instance, null, null, false, on("mad.system.presence", payload)));
    }

    void leave(long millis, String instance) {
      String payload =
          "{\"event\":\"leave\",\"instance\":\"%s\",\"reason\":\"stopped\"}".formatted(instance);
      say(
          millis,
          new Said(Kind.LEAVE, instance, null, null, false, on("mad.system.presence", payload)));
    }

    /** Sends heartbeats as the library does. */
    void beat(long millis, String instance, int interval, @Nullable Instant busyUntil) {
      String busy = busyUntil == null ? "null" : '"' + EnvelopeCodec.timestamp(busyUntil) + '"';
      String payload =
          """
          {"status":"HEALTHY","instance":"%s","version":"1.2","started_at":"2026-11-18T10:00:00.000Z",\
          "interval_s":%d,"busy_until":%s,"detail":{}}\
          """
              .formatted(instance, interval, busy);
      say(
          millis,
          new Said(
              Kind.BEAT,
              instance,
              interval,
              busyUntil,
              false,
              on("mad.system.heartbeat", payload)));
    }

    /** Sends heartbeats as a person would who types them. */
    void plainBeat(long millis) {
      say(
          millis,
          new Said(
              Kind.BEAT,
              "",
              null,
              null,
              false,
              on("mad.system.heartbeat", "{\"status\":\"HEALTHY\"}")));
    }

    void beatThroughGrace(long millis) {
      String payload =
          """
          {"status":"HEALTHY","instance":"g1","interval_s":30,"busy_until":null,\
          "detail":{"via":"grace"}}\
          """;
      say(millis, new Said(Kind.BEAT, "g1", 30, null, true, on("mad.system.heartbeat", payload)));
    }

    void talk(long millis, String instance) {
      say(
          millis,
          new Said(Kind.TALK, instance, null, null, false, on("mad.topic.news", "{\"n\":1}")));
    }

    /** Joins, and sends a heartbeat every 10 s from then until an end. */
    void live(long from, long until, String instance) {
      join(from, instance);
      for (long at = from; at < until; at += 10_000) {
        beat(at, instance, 10, null);
      }
    }
  }

  static List<SimulatedParticipant> thirty(Random random, Instant begin, Duration span) {
    List<SimulatedParticipant> actors = new ArrayList<>();
    java.util.function.Function<String, Script> script =
        name -> new Script(name, begin, span, random);
    actors.add(lasting(script.apply("rogers")));
    for (int i = 0; i < 5; i++) {
      actors.add(comingAndGoing(script.apply("library-" + i), true));
    }
    for (int i = 0; i < 4; i++) {
      actors.add(dying(script.apply("mortal-" + i)));
    }
    for (int i = 0; i < 4; i++) {
      actors.add(byHand(script.apply("by-hand-" + i), 5, 29));
    }
    for (int i = 0; i < 3; i++) {
      actors.add(byHand(script.apply("slow-" + i), 20, 200));
    }
    for (int i = 0; i < 3; i++) {
      actors.add(talking(script.apply("third-party-" + i)));
    }
    for (int i = 0; i < 2; i++) {
      actors.add(once(script.apply("silent-" + i)));
    }
    actors.add(flapping(script.apply("flapping")));
    actors.add(busy(script.apply("busy"), 10));
    actors.add(busy(script.apply("too-busy"), 180));
    actors.add(twins(script.apply("twins")));
    actors.add(beatsAndTalks(script.apply("talker")));
    actors.add(polling(script.apply("poller-0"), true));
    actors.add(polling(script.apply("poller-1"), false));
    actors.add(leavingUnknown(script.apply("unknown")));
    return actors;
  }

  private static SimulatedParticipant lasting(Script script) {
    script.live(0, script.span.toMillis(), "r1");
    return script.actor();
  }

  private static SimulatedParticipant comingAndGoing(Script script, boolean politely) {
    int life = 0;
    for (long at = script.between(0, 60); !script.over(at); at += script.between(1, 400)) {
      String instance = "i" + life++;
      long end = at + script.between(5, 1_800);
      script.live(at, end, instance);
      at = end;
      if (politely) {
        script.leave(at, instance);
      }
    }
    return script.actor();
  }

  private static SimulatedParticipant dying(Script script) {
    return comingAndGoing(script, false);
  }

  private static SimulatedParticipant byHand(Script script, int low, int high) {
    for (long at = script.between(0, 60); !script.over(at); at += script.between(low, high)) {
      script.plainBeat(at);
    }
    return script.actor();
  }

  private static SimulatedParticipant talking(Script script) {
    for (long at = script.between(0, 60); !script.over(at); at += script.between(1, 240)) {
      script.talk(at, "");
    }
    return script.actor();
  }

  private static SimulatedParticipant once(Script script) {
    script.talk(script.between(0, 3_000), "");
    return script.actor();
  }

  private static SimulatedParticipant flapping(Script script) {
    int life = 0;
    for (long at = 1_000; !script.over(at); at += 4_000) {
      String instance = "f" + life++;
      script.join(at, instance);
      script.beat(at, instance, 10, null);
      script.leave(at + 2_000, instance);
    }
    return script.actor();
  }

  private static SimulatedParticipant busy(Script script, int minutes) {
    for (long at = 2_000; !script.over(at); at += script.between(60 * minutes, 100 * minutes)) {
      Instant until = script.begin.plusMillis(at).plus(Duration.ofMinutes(minutes));
      script.beat(at, "b1", 10, until);
    }
    return script.actor();
  }

  /** Two instances that send their own heartbeats; one leaves, the other one dies. */
  private static SimulatedParticipant twins(Script script) {
    for (long at = 5_000; !script.over(at); at += 900_000) {
      String round = "-" + at;
      script.live(at, at + script.between(100, 600), "left" + round);
      long end = at + script.between(100, 500);
      script.live(at + 1_000, end, "right" + round);
      script.leave(end, "right" + round);
    }
    return script.actor();
  }

  /** Sends heartbeats rarely, and messages in between without stating which instance it is. */
  private static SimulatedParticipant beatsAndTalks(Script script) {
    for (long at = 3_000; !script.over(at); at += script.between(30, 300)) {
      script.beat(at, "t1", 10, null);
      for (long word = at + 5_000; word < at + 30_000; word += 5_000) {
        script.talk(word, "t1");
      }
    }
    return script.actor();
  }

  /**
   * A client that only polls: Grace sends its heartbeats, and announces when it has gone, unless
   * Grace dies.
   */
  private static SimulatedParticipant polling(Script script, boolean politely) {
    for (long at = 7_000; !script.over(at); at += script.between(200, 400)) {
      script.join(at, "g1");
      long end = at + script.between(60, 1_500);
      script.beatThroughGrace(at);
      for (long beat = at + 30_000; beat < end; beat += 30_000 + script.between(0, 2)) {
        script.beatThroughGrace(beat);
      }
      at = end;
      if (politely) {
        script.leave(at, "g1");
      }
    }
    return script.actor();
  }

  /** The first message ever received from it is its leave. */
  private static SimulatedParticipant leavingUnknown(Script script) {
    script.leave(1_800_000, "u1");
    return script.actor();
  }
}
