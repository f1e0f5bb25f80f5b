package joshua.network;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import joshua.kernel.ErrorCode;
import joshua.kernel.HeapPlan;
import joshua.kernel.HeapShare;
import joshua.kernel.Refusal;
import joshua.kernel.TreeCost;

/**
 * The memory that client messages may use at once, as text and as parsed trees (+JN-03). A message
 * is admitted before it is parsed, and before its caller's role or rate is checked; the caller of
 * {@code admit} returns the memory. Small messages have memory of their own, so that large ones
 * never block them. Safe to use from any thread; never blocks.
 */
public final class MessageBudget {
  /** A message that takes at most this many bytes is a small one. */
  static final long SMALL = 64L * 1024;

  /**
   * A connection's part of each kind: the largest message of the default frame limit fits into it,
   * and a greedy connection leaves something to the others.
   */
  static final long OF_A_CONNECTION = 48L * 1024 * 1024;

  /** The text itself, what it is copied into while it is parsed, and its answer's echo. */
  private static final int COPIES = 4;

  /** Of the heap, for small messages. */
  static final HeapShare SMALL_SHARE = HeapShare.ofOneService(20);

  /** Of the heap, for large ones; at least {@link #OF_A_CONNECTION}. */
  static final HeapShare LARGE_SHARE = HeapShare.ofOneService(40);

  private final ByteBudget small;
  private final ByteBudget large;
  private final long most;

  private MessageBudget(ByteBudget small, ByteBudget large, long most) {
    this.small = small;
    this.large = large;
    this.most = most;
  }

  /** Whether a message may be parsed. */
  public sealed interface Admission {
    /**
     * It may, and has taken so much of the budget.
     *
     * @param bytes to be given back when the message has been dealt with
     */
    record Admitted(long bytes) implements Admission {}

    /** It may not. */
    record Refused(Refusal refusal) implements Admission {}
  }

  /**
   * A budget of {@code small} bytes for all small messages, and {@code large} for all large ones.
   */
  public static MessageBudget of(long small, long large) {
    return new MessageBudget(ByteBudget.of(small), ByteBudget.of(large), large);
  }

  /** The budget of this process, which all its listeners share. */
  public static MessageBudget ofProcess() {
    return OfProcess.BUDGET;
  }

  private static final class OfProcess {
    private static final MessageBudget BUDGET =
        of(smallBytes(HeapPlan.ofThisProcess(1)), largeBytes(HeapPlan.ofThisProcess(1)));
  }

  public static long smallBytes(HeapPlan plan) {
    return plan.bytes(SMALL_SHARE);
  }

  public static long largeBytes(HeapPlan plan) {
    return Math.max(plan.bytes(LARGE_SHARE), OF_A_CONNECTION);
  }

  /** A connection's part: what is taken from it is taken from the whole, too. */
  public MessageBudget ofConnection() {
    return new MessageBudget(
        small.part(OF_A_CONNECTION), large.part(OF_A_CONNECTION), Math.min(most, OF_A_CONNECTION));
  }

  /** Takes what a message needs, if it may be parsed. */
  public Admission admit(String message) {
    return admit(message.getBytes(StandardCharsets.UTF_8));
  }

  /** Takes what a message needs, if it may be parsed. */
  public Admission admit(byte[] message) {
    long tree = TreeCost.of(message);
    if (tree > TreeCost.MESSAGE_LIMIT) {
      return new Admission.Refused(
          Refusal.of(ErrorCode.TOO_LARGE, "The message " + TreeCost.RULE + "."));
    }
    long bytes = COPIES * (long) message.length + tree;
    if (bytes > most) {
      return new Admission.Refused(
          Refusal.of(
              ErrorCode.TOO_LARGE,
              "The message needs %d bytes of memory while it is parsed; %d are the most there are for one. Send less, or send a reference."
                  .formatted(bytes, most)));
    }
    return take(bytes) ? new Admission.Admitted(bytes) : new Admission.Refused(noRoom());
  }

  private static Refusal noRoom() {
    return Refusal.of(
        ErrorCode.OVERLOADED,
        "The messages under way take all the memory there is for them; await some answers, or try again soon.");
  }

  /** Takes memory for what is held for a client besides; empty if there isn't enough. */
  Optional<Admission.Admitted> hold(long bytes) {
    return take(bytes) ? Optional.of(new Admission.Admitted(bytes)) : Optional.empty();
  }

  private boolean take(long bytes) {
    return kind(bytes).take(bytes);
  }

  public void give(long bytes) {
    kind(bytes).give(bytes);
  }

  private ByteBudget kind(long bytes) {
    return bytes <= SMALL ? small : large;
  }

  /** How many bytes are in use. */
  public long taken() {
    return small.taken() + large.taken();
  }
}
