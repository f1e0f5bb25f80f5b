package joshua.dewey.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.dewey.DeweyFixture;
import joshua.dewey.archive.ArchiveStore.Bounds;
import joshua.dewey.archive.ArchiveStore.MessageKey;
import joshua.dewey.archive.ArchiveTap.Skipped;
import joshua.dewey.mail.KeptMessage;
import joshua.kernel.Json;
import joshua.state.WatchedTime;
import org.junit.jupiter.api.Test;

class ArchiveStoreTest extends DeweyFixture {
  private static final UUID CONVERSATION = UUID.randomUUID();

  private void add(int position, int second, Channel channel, String sender) {
    UUID id = UUID.randomUUID();
    Optional<String> recipient = channel.recipient();
    Envelope envelope =
        new Envelope(
            id, CONVERSATION, id, START, sender, recipient, channel, Json.object(), Map.of());
    write(tx -> {
      ArchiveStore.add(tx, position, START.plusSeconds(second), envelope, "{}");
      ArchiveStore.setLastPosition(tx, position);
    });
  }

  private long positionAt(int second) {
    return database.read(tx -> ArchiveStore.positionAt(tx, START.plusSeconds(second)));
  }

  private List<Long> conversation(Visibility reader, long from, long before, int limit) {
    String id = CONVERSATION.toString();
    Bounds bounds = new Bounds(from, before, limit);
    return database
        .read(tx -> ArchiveStore.find(tx, MessageKey.CONVERSATION, id, bounds, reader))
        .stream()
        .map(KeptMessage::position)
        .toList();
  }

  @Test
  void theFirstMessageOfATimeIsFoundAmongHolesAndEqualTimes() {
    assertThat(positionAt(0)).as("of nothing").isEqualTo(1);
    int[] positions = {5, 6, 7, 20, 21, 40};
    int[] seconds = {10, 10, 30, 30, 30, 50};
    for (int i = 0; i < positions.length; i++) {
      add(positions[i], seconds[i], Channel.BROADCAST, "ann");
    }
    assertThat(List.of(positionAt(0), positionAt(10), positionAt(11), positionAt(30)))
        .containsExactly(5L, 5L, 7L, 7L);
    assertThat(positionAt(50)).as("or a hole before it").isBetween(22L, 40L);
    assertThat(positionAt(51)).isEqualTo(41);
  }

  @Test
  void aReaderFindsWhatItSentWhatItGotAndWhatIsForAll() {
    add(1, 0, Channel.direct("bob"), "ann");
    add(2, 0, Channel.direct("cid"), "bob");
    add(3, 0, Channel.direct("cid"), "ann");
    add(4, 0, Channel.BROADCAST, "ann");
    add(5, 0, new Channel("mad.direct._nobody"), "ann");
    assertThat(conversation(new Visibility(false, "bob"), 0, 9, 9)).containsExactly(4L, 2L, 1L);
    assertThat(conversation(new Visibility(false, ""), 0, 9, 9)).containsExactly(4L);
    assertThat(conversation(new Visibility(true, ""), 0, 9, 9)).containsExactly(5L, 4L, 3L, 2L, 1L);
    assertThat(conversation(new Visibility(false, "bob"), 0, 9, 2))
        .as("what it may not read takes no place of others")
        .containsExactly(4L, 2L);
    assertThat(conversation(new Visibility(true, ""), 2, 4, 9)).containsExactly(3L, 2L);
  }

  @Test
  void oneFloodIsOneSpan() {
    Instant later = START.plusSeconds(1);
    String topics = "messages on topics came faster";
    write(tx -> {
      ArchiveStore.addSkipped(tx, topics, new Skipped(10, START, START));
      ArchiveStore.addSkipped(tx, topics, new Skipped(5, later, later));
      ArchiveStore.addSkipped(tx, "another", new Skipped(2, later, later));
      Instant next = START.plusSeconds(60);
      ArchiveStore.addSkipped(tx, topics, new Skipped(1, next, next));
    });
    assertThat(number("select count(*) from not_seen")).isEqualTo(3);
    assertThat(number("select max(messages) from not_seen")).isEqualTo(15);
    List<String> caveats =
        database.read(tx -> WatchedTime.caveats(tx, START.plusSeconds(59), null, "D", "keeping"));
    assertThat(caveats).anyMatch(caveat -> caveat.contains(topics));
  }
}
