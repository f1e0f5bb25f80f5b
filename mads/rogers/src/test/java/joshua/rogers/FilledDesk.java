package joshua.rogers;

import java.util.UUID;

/** A {@link RogersQueryFixture} with something in every table that queries read. */
public final class FilledDesk {
  public static final String DIRECT = "mad.direct";
  public static final String TOPIC = "mad.topic";

  private final RogersQueryFixture fixture;

  private FilledDesk(RogersQueryFixture fixture) {
    this.fixture = fixture;
  }

  public static RogersQueryFixture open() throws Exception {
    RogersQueryFixture fixture = new RogersQueryFixture();
    new FilledDesk(fixture).fill();
    return fixture;
  }

  private void fill() throws Exception {
    connection("alice", "HEALTHY", "heard of 2 s ago", "09:00:00");
    connection("bob", "STALE", "stale: silent for 41 s", "15:29:30");
    connection("old-timer", "CONNECTED", "seen, never beat", "08:00:00");
    event(1, "09:00:00", "alice", null, "HEALTHY");
    event(2, "10:00:00", "bob", null, "HEALTHY");
    event(3, "14:00:00", "bob", "HEALTHY", "DISCONNECTED");
    event(4, "14:10:00", "bob", "DISCONNECTED", "HEALTHY");
    event(5, "15:29:30", "bob", "HEALTHY", "STALE");
    hour("13:00:00", "alice", DIRECT, 5, 500);
    hour("14:00:00", "alice", DIRECT, 7, 700);
    hour("14:00:00", "alice", TOPIC, 1, 100);
    hour("14:00:00", "bob", TOPIC, 20, 2000);
    hour("15:00:00", "?", TOPIC, 3, 30);
    fixture.row("hourly_channels", "14:00:00", "mad.topic.news", 21, 2100);
    fixture.row("hourly_channels", "14:00:00", "mad.direct.bob", 7, 700);
    fixture.row("hourly_channels", "15:00:00", "mad.topic.news", 3, 30);
    fixture.row("watermark", 1, "15:29:58", 36);
    fixture.row("not_seen", 1, "12:00:00", "12:05:00", "Rogers was not running", null);
    journal("15:00:00", "alice", "mad.topic.news", "one");
    journal("15:01:00", "bob", "mad.topic.news", "two");
    journal("15:02:00", "bob", "mad.direct.alice", "between us");
    fixture.row("dead_letters", 1, "15:10:00", "mad.topic.x", "is no JSON", "hello", 5, 1);
    fixture.row("unheard", 1, "15:00:00", "mad.direct.nobody", 4);
    fixture.row("unheard", 2, "15:00:10", "mad.direct.nobody", 2);
    fixture.row("alarms", 1, "15:20:00", "storm", "bob", "[\"bob\"]", 2000, "200 a second");
    fixture.row("alarms", 2, "15:21:00", "loop", "c-1", "[\"alice\",\"bob\"]", 30, "30 in 10 s");
    fixture.row("losers", 1, "14:30:00", "grace", "carol", 12, "overflow");
    fixture.row(
        "losses",
        1,
        "14:20:04",
        "14:20:00",
        "14:20:02",
        "bus>grace",
        "grace",
        "i-1",
        1,
        "mad.topic.*",
        100,
        97,
        "received fewer than were seen");
    String id = UUID.randomUUID().toString();
    fixture.change(
        """
        insert into tasks (task_id, status, requester_id, prompt, created_at, updated_at, kind,
          input, conversation_id, correlation_id, input_digest)
        values (?, 'PENDING', 'alice', 'who?', ?, ?, 'converse', '{}', ?, ?, '')
        """,
        id,
        RogersQueryFixture.at("15:00:00"),
        RogersQueryFixture.at("15:00:00"),
        id,
        id);
  }

  private void connection(String name, String status, String why, String since) throws Exception {
    fixture.row(
        "connections", name, status, since, "15:29:58", since, why, 1, 10, null, "1", null, "[]");
  }

  private void event(int id, String at, String name, String before, String status)
      throws Exception {
    fixture.row("connection_events", id, at, name, before, status, "why " + id);
  }

  private void journal(String at, String sender, String channel, String payload) throws Exception {
    String id = UUID.randomUUID().toString();
    fixture.change(
        """
        insert into journal (at, conversation_id, correlation_id, message_id, sender_id, channel,
          payload, payload_bytes, cut)
        values (?, ?, ?, ?, ?, ?, ?, 10, 0)
        """,
        RogersQueryFixture.at(at),
        id,
        id,
        id,
        sender,
        channel,
        payload);
  }

  private void hour(String hour, String sender, String topic, int messages, int bytes)
      throws Exception {
    fixture.row("hourly_metrics", hour, sender, topic, messages);
    fixture.row("hourly_bytes", hour, sender, topic, bytes);
  }
}
