package joshua.thought.langchain;

import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventContext;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import java.util.Optional;

/**
 * A wrapper of a provider's event listener that passes on no events once the {@link ModelCall} is
 * over. If the listener throws at an unreadable event, the call ends; LangChain4j alone would log
 * that and go on, event after event.
 */
record GuardedListener(ModelCall call, ServerSentEventListener listener)
    implements ServerSentEventListener {
  /** OpenAI's last event; LangChain4j would also wait for the end of the connection. */
  private static final String END = "[DONE]";

  @Override
  public void onOpen(SuccessfulHttpResponse response) {
    guarded(() -> listener.onOpen(response));
  }

  @Override
  public void onEvent(ServerSentEvent event, ServerSentEventContext context) {
    if (isForIt(event)) {
      guarded(() -> listener.onEvent(event, context));
    }
  }

  @Override
  public void onEvent(ServerSentEvent event) {
    if (isForIt(event)) {
      guarded(() -> listener.onEvent(event));
    }
  }

  /** Drops empty keep-alive lines; an error goes to the call and ends it. */
  private boolean isForIt(ServerSentEvent event) {
    if (event.data() == null || event.data().isBlank()) {
      return false;
    }
    if (event.data().strip().equals(END)) {
      onClose();
      return false;
    }
    Optional<ErrorEvent> error = ErrorEvent.in(event.data());
    error.ifPresent(call::trouble);
    return error.isEmpty();
  }

  @Override
  public void onError(Throwable error) {
    guarded(() -> listener.onError(error));
  }

  @Override
  public void onClose() {
    guarded(listener::onClose);
  }

  private void guarded(Runnable telling) {
    if (call.isOver()) {
      return;
    }
    try {
      telling.run();
    } catch (RuntimeException e) {
      call.garbled(e);
    }
  }
}
