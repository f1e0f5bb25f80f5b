package joshua.thought.langchain;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import joshua.thought.AnswerUsage;
import joshua.thought.ModelCompletion;
import joshua.thought.ModelCompletion.Finish;
import joshua.thought.ModelFailedException;
import joshua.thought.TokenListener;
import joshua.thought.ToolRequest;
import org.jspecify.annotations.Nullable;

/**
 * The receiver of LangChain4j's callbacks, which passes the answer to our listener. LangChain4j
 * logs exceptions from its callbacks and goes on, so failures are kept in the {@link ModelCall},
 * which ends the reading.
 */
final class AnswerReceiver implements StreamingChatResponseHandler {
  /** No vocabulary has tokens that are nearly as long on average. */
  private static final int CHARACTERS_A_TOKEN = 16;

  private static final int CHARACTERS_BESIDES = 1_000;

  private final ModelCall modelCall;
  private final TokenListener listener;
  private final int outputTokens;
  private final long begin = System.nanoTime();
  private final StringBuilder text = new StringBuilder();
  private boolean working;
  private @Nullable ChatResponse response;

  AnswerReceiver(ModelCall modelCall, TokenListener listener, int outputTokens) {
    this.modelCall = modelCall;
    this.listener = listener;
    this.outputTokens = outputTokens;
  }

  /** One call of our listener. */
  @FunctionalInterface
  private interface Telling {
    void tell() throws InterruptedException;
  }

  @Override
  public void onPartialResponse(String token) {
    if (token.isEmpty()) {
      return;
    }
    tell(() -> {
      working = false;
      text.append(token);
      if (text.length() > CHARACTERS_BESIDES + (long) CHARACTERS_A_TOKEN * outputTokens) {
        modelCall.tooMuchText(outputTokens);
      } else {
        listener.token(token);
      }
    });
  }

  @Override
  public void onPartialThinking(PartialThinking thinking) {
    tell(this::working);
  }

  @Override
  public void onPartialToolCall(PartialToolCall part) {
    tell(this::working);
  }

  private void working() throws InterruptedException {
    if (!working) {
      working = true;
      listener.working();
    }
  }

  private void tell(Telling telling) {
    if (modelCall.isOver()) {
      return;
    }
    try {
      telling.tell();
      modelCall.alive();
    } catch (InterruptedException e) {
      modelCall.interrupt();
    } catch (RuntimeException e) {
      modelCall.thrown(e);
    }
  }

  @Override
  public void onCompleteResponse(ChatResponse complete) {
    response = complete;
    if (complete.finishReason() != null) {
      modelCall.done();
    }
  }

  @Override
  public void onError(Throwable error) {
    modelCall.garbled(error);
  }

  /** The answer, if it was completed. */
  ModelCompletion completion() throws ModelFailedException, InterruptedException {
    FinishReason reason = response == null ? null : response.finishReason();
    if (response == null || reason == null) {
      modelCall.brokenOff(null);
      modelCall.throwIfOver();
      throw new IllegalStateException("a request that ended neither well nor badly");
    }
    List<ToolRequest> requests =
        response.aiMessage().toolExecutionRequests().stream().map(AnswerReceiver::request).toList();
    return new ModelCompletion(
        text.toString(), requests, finish(reason), usage(response.tokenUsage()));
  }

  private static ToolRequest request(ToolExecutionRequest request) {
    return new ToolRequest(
        Optional.ofNullable(request.id()).orElse(""),
        Optional.ofNullable(request.name()).orElse(""),
        Optional.ofNullable(request.arguments()).orElse(""));
  }

  private static Finish finish(FinishReason reason) {
    return switch (reason) {
      case STOP, OTHER -> Finish.DONE;
      case TOOL_EXECUTION -> Finish.TOOLS;
      case LENGTH -> Finish.LENGTH;
      case CONTENT_FILTER -> Finish.FILTERED;
    };
  }

  private AnswerUsage usage(@Nullable TokenUsage usage) {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    return usage == null
        ? new AnswerUsage(0, 0, 1, millis)
        : new AnswerUsage(
            count(usage.inputTokenCount()), count(usage.outputTokenCount()), 1, millis);
  }

  private static long count(@Nullable Integer tokens) {
    return tokens == null ? 0 : tokens;
  }
}
