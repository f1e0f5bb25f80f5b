package joshua.network.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.network.MessageBudget;

/**
 * The part of the budget that a request's message has taken. It is returned when neither the
 * request nor work for it holds the message any more: work goes on when a client hangs up. Safe to
 * use from any thread.
 */
final class AdmittedMessage {
  private static final String ATTRIBUTE = "joshua.message";

  private final MessageBudget budget;
  private final long bytes;
  private final AtomicInteger holders = new AtomicInteger(1);

  private AdmittedMessage(MessageBudget budget, long bytes) {
    this.budget = budget;
    this.bytes = bytes;
  }

  /** Held once, by the request. */
  static AdmittedMessage of(HttpServletRequest request, MessageBudget budget, long bytes) {
    AdmittedMessage message = new AdmittedMessage(budget, bytes);
    request.setAttribute(ATTRIBUTE, message);
    return message;
  }

  /** That of a request, held once more; while the request holds it. */
  static AdmittedMessage hold(HttpServletRequest request) {
    AdmittedMessage message = (AdmittedMessage) request.getAttribute(ATTRIBUTE);
    message.holders.incrementAndGet();
    return message;
  }

  void release() {
    if (holders.decrementAndGet() == 0) {
      budget.give(bytes);
    }
  }
}
