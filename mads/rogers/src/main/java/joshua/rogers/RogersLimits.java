package joshua.rogers;

import static joshua.kernel.ResourceLimit.count;
import static joshua.kernel.ResourceLimit.measure;
import static joshua.kernel.ResourceLimit.memory;
import static joshua.kernel.ResourceLimit.size;

import java.util.List;
import java.util.stream.Stream;
import joshua.kernel.HeapPlan;
import joshua.kernel.ResourceLimit;
import joshua.kernel.RogersSettings;
import joshua.kernel.Settings;
import joshua.rogers.alert.LoopTable;
import joshua.rogers.journal.Journal;
import joshua.rogers.journal.JournalEntry;
import joshua.rogers.journal.JournalExchanges;
import joshua.rogers.loss.LossReconciler;
import joshua.rogers.loss.RelayAccounts;
import joshua.rogers.loss.UnheardChannels;
import joshua.rogers.presence.KnownParticipant;
import joshua.rogers.presence.ParticipantTable;
import joshua.rogers.tap.DeadLetterBuffer;
import joshua.rogers.tap.DeadMessage;
import joshua.rogers.tap.FlushQueue;
import joshua.rogers.traffic.ChannelCounts;
import joshua.rogers.traffic.PublishedCounts;

/** Resource limits of what Rogers keeps in memory and in its tables (+JN-03). */
public final class RogersLimits {
  /** A name's object, its entry in a table, and the name. */
  private static final long OF_A_NAME = 500;

  private static final long OF_AN_INSTANCE = 200;
  private static final long OF_A_CHANGE = 250;
  private static final long OF_A_COUNT = 100;
  private static final long OF_A_SUBSCRIPTION = 170;

  /** Names of this hour and of the previous one, senders and channels. */
  private static final int TABLES_OF_NAMES = 4;

  private static final long OF_A_COUNTED_NAME = 250;

  private RogersLimits() {}

  /** The limits that follow from these settings; nothing here grows with the heap. */
  public static List<ResourceLimit> list(Settings settings, HeapPlan plan) {
    return Stream.of(
            participantRows(),
            countRows(settings),
            ledgerRows(),
            watchRows(),
            historyRows(settings))
        .flatMap(List::stream)
        .toList();
  }

  private static List<ResourceLimit> participantRows() {
    return List.of(
        count(
            "rogers.participants",
            "participants in the registry",
            ParticipantTable.NAMES,
            OF_A_NAME,
            "the one gone longest is forgotten; while none is gone, new names aren't taken in, and the log says how many"),
        count(
            "rogers.instances",
            "instances of one participant",
            KnownParticipant.INSTANCES,
            0,
            "the one silent longest is forgotten"),
        count(
            "rogers.more-instances",
            "instances beyond the first of each participant, together",
            ParticipantTable.MORE_INSTANCES,
            OF_AN_INSTANCE,
            "of the participant that gets one more, the one silent longest is forgotten"),
        count(
            "rogers.state-changes",
            "changes of state that wait to be written",
            ParticipantTable.CHANGES,
            OF_A_CHANGE,
            "the oldest are lost to the history"));
  }

  private static List<ResourceLimit> countRows(Settings settings) {
    int names = settings.get(RogersSettings.NAMES_LIMIT);
    return List.of(
        count(
                "rogers.names",
                "senders, and channels, that are counted by name in one hour",
                names,
                TABLES_OF_NAMES * OF_A_COUNTED_NAME,
                "the rest is counted as `*`")
            .by(RogersSettings.NAMES_LIMIT),
        count(
            "rogers.unwritten-counts",
            "counts that wait for a database in trouble",
            FlushQueue.COUNTS,
            OF_A_COUNT,
            "the hour is marked as not seen, with the number of messages"),
        count(
            "rogers.unwritten-notes",
            "hours that wait for a database in trouble",
            FlushQueue.LIMIT,
            0,
            "the hour is marked as not seen, with the number of messages"),
        memory(
            "rogers.journal-ring",
            "messages that wait for the journal",
            Journal.RING_BYTES,
            Journal.RING_BYTES,
            "left out of the journal, with the span; counts are not affected"));
  }

  private static List<ResourceLimit> ledgerRows() {
    return List.of(
        memory(
            "rogers.ledger-bytes",
            "ledgers that wait to be compared",
            LossReconciler.QUEUE_BYTES,
            LossReconciler.QUEUE_BYTES,
            "the span is \"not compared\""),
        count(
            "rogers.ledger-queue",
            "markers and ledgers that wait to be compared",
            LossReconciler.QUEUE,
            0,
            "two spans are joined into one"),
        count(
            "rogers.relays",
            "relays that tell ledgers",
            RelayAccounts.LIMIT,
            0,
            "the longest silent goes"),
        count(
            "rogers.ledger-subscriptions",
            "subscriptions in the ledgers of all relays",
            RelayAccounts.SUBSCRIPTIONS,
            OF_A_SUBSCRIPTION,
            "the ledger is given up: the span is \"not compared\""),
        count(
            "rogers.slices",
            "counts by channel that wait for a ledger",
            PublishedCounts.CHANNEL_LIMIT,
            OF_A_COUNT,
            "the oldest go: the span is \"not compared\""),
        count(
            "rogers.channel-counts",
            "channels that are counted between two ledgers",
            ChannelCounts.LIMIT,
            OF_A_COUNT,
            "the span is \"not compared\""));
  }

  private static List<ResourceLimit> watchRows() {
    return List.of(
        count(
            "rogers.loop-table",
            "exchanges that are watched for loops",
            LoopTable.SLOTS,
            (LoopTable.TURNS + LoopTable.LONGS_BESIDE_TURNS) * (long) Long.BYTES,
            "those with the fewest turns are forgotten"),
        count(
            "rogers.waiting-letters",
            "dead letters that wait to be kept",
            DeadLetterBuffer.WAITING,
            2L * DeadMessage.HEAD_LIMIT,
            "counted, not kept"),
        size(
            "rogers.letter-head",
            "bytes that are kept of a dead letter",
            DeadMessage.HEAD_LIMIT,
            "the rest isn't kept"),
        count(
            "rogers.unheard-channels",
            "channels that wait to be asked about for listeners",
            UnheardChannels.WAITING,
            OF_A_COUNT,
            "not asked about this time"));
  }

  private static List<ResourceLimit> historyRows(Settings settings) {
    return List.of(
        count(
                "rogers.history-rows",
                "rows of each kind in the database: changes, dead letters, alarms",
                settings.get(RogersSettings.HISTORY_ROWS),
                0,
                "the oldest are deleted")
            .by(RogersSettings.HISTORY_ROWS),
        measure(
                "rogers.journal-size",
                "messages of exchanges in the database",
                settings.get(RogersSettings.JOURNAL_MIB) + " MiB",
                "the oldest are deleted")
            .by(RogersSettings.JOURNAL_MIB),
        size(
            "rogers.journal-payload",
            "bytes of a payload in the journal",
            JournalEntry.PAYLOAD_LIMIT,
            "cut, and marked as cut"),
        count(
            "rogers.exchange-messages",
            "messages that one look at an exchange shows",
            JournalExchanges.MOST,
            0,
            "the answer says that there are more"));
  }
}
