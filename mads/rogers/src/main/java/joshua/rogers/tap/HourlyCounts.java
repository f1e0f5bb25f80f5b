package joshua.rogers.tap;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import joshua.conversation.Channel;

/**
 * The counts of one hour since the last hand-over: filled by the thread that reads the tap, written
 * by the flusher, never changed in between.
 */
public final class HourlyCounts implements FlushItem {
  public static final List<Channel.Kind> KINDS = List.of(Channel.Kind.values());

  /** Messages of one sender on one kind of channel. */
  public record Sent(String sender, Channel.Kind kind, long messages, long bytes) {}

  /** Messages on one channel. */
  public record Published(String channel, long messages, long bytes) {}

  private final Instant hour;
  private final Instant seenUntil;
  private final List<Sent> sent = new ArrayList<>();
  private final List<Published> published = new ArrayList<>();
  private long messages;

  /**
   * Starts empty.
   *
   * @param seenUntil everything published before it has been counted, here or earlier
   */
  public HourlyCounts(Instant hour, Instant seenUntil) {
    this.hour = hour;
    this.seenUntil = seenUntil;
  }

  @Override
  public int counts() {
    return sent.size() + published.size();
  }

  public void sent(String sender, Channel.Kind kind, long count, long bytes) {
    sent.add(new Sent(sender, kind, count, bytes));
    messages += count;
  }

  public void published(String channel, long count, long bytes) {
    published.add(new Published(channel, count, bytes));
  }

  public Instant hour() {
    return hour;
  }

  public Instant seenUntil() {
    return seenUntil;
  }

  public List<Sent> sent() {
    return sent;
  }

  public List<Published> published() {
    return published;
  }

  public long messages() {
    return messages;
  }
}
