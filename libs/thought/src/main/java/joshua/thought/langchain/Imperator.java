package joshua.thought.langchain;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.TokenUsage;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import joshua.state.query.NamedQueries;
import joshua.thought.model.Answer;
import joshua.thought.model.ModelConfig;
import joshua.thought.model.NotAnsweredException;
import joshua.thought.model.Question;
import joshua.thought.model.SleptException;

/**
 * Answers by a model, which may look at the service's state by its queries, some rounds long, and
 * can do nothing else (REQ-FD-01, REQ-FD-10).
 */
public final class Imperator {
  private static final int ROUNDS = 8;

  /** Queries in a round. */
  private static final int MOST_CALLS = 16;

  /** In characters. */
  private static final int LONGEST_ARGUMENTS = 65_536;

  private final Models models;
  private final ModelConfig config;
  private final QueryTools tools;
  private final String instructions;
  private final boolean needsEvidence;
  private final InstantSource time;

  /**
   * An imperator that thinks with the first of some models.
   *
   * @param instructions what the model is told first (REQ-ADD-02)
   * @param needsEvidence whether nothing it says is let through before a query ran (+RG-16)
   */
  public Imperator(
      Models models,
      ModelConfig config,
      NamedQueries queries,
      String instructions,
      boolean needsEvidence,
      InstantSource time) {
    this.models = models;
    this.config = config;
    this.tools = new QueryTools(queries);
    this.instructions = instructions.strip();
    this.needsEvidence = needsEvidence;
    this.time = time;
  }

  /**
   * Answers a question.
   *
   * @param text takes the answer, piece by piece
   * @throws NotAnsweredException with a sentence for the asker
   * @throws SleptException where it is to be tried again
   */
  public Answer answer(Question question, Consumer<String> text)
      throws ModelFailedException, NotAnsweredException, SleptException, InterruptedException {
    String model = config.names().getFirst();
    Context context = Context.of(config, instructions, question, time.instant());
    List<ChatMessage> messages = context.messages();
    int room = context.room();
    Paragraphs paragraphs = new Paragraphs(text, needsEvidence);
    List<Answer.Evidence> evidence = new ArrayList<>();
    TokenUsage usage = null;
    for (int round = 1; ; round++) {
      ChatRequest request =
          ChatRequest.builder().messages(messages).toolSpecifications(tools.all()).build();
      ChatResponse response = models.ask(model, request, paragraphs);
      usage = TokenUsage.sum(usage, response.tokenUsage());
      AiMessage said = response.aiMessage();
      if (!said.hasToolExecutionRequests()) {
        if (needsEvidence && evidence.isEmpty()) {
          throw new NotAnsweredException(
              "%s looked nothing up, so what it says is left out. Ask about what can be looked up; help shows that."
                  .formatted(model));
        }
        return Models.answer(model, response, usage, evidence);
      }
      if (round == ROUNDS) {
        throw new NotAnsweredException(
            "%s asked for queries %d times and didn't answer. Ask for less at a time."
                .formatted(model, ROUNDS));
      }
      messages.add(said);
      room -= said.text() == null ? 0 : Context.tokens(said.text());
      int calls = 0;
      for (ToolExecutionRequest call : said.toolExecutionRequests()) {
        String arguments = String.valueOf(call.arguments());
        if (arguments.length() > LONGEST_ARGUMENTS) {
          throw new NotAnsweredException("%s asked for a query that is too long.".formatted(model));
        }
        room -= Context.tokens(arguments);
        String result =
            room > 0 && ++calls <= MOST_CALLS
                ? tools.run(
                    call, question.onlyOf(), room, found -> evidence.add(Answer.Evidence.of(found)))
                : "Refused: there is no room for more.";
        room -= Context.tokens(result);
        String last = round == ROUNDS - 1 ? "\nThat was the last query: answer now." : "";
        messages.add(ToolExecutionResultMessage.from(call, result + last));
      }
      if (!evidence.isEmpty()) {
        paragraphs.release();
      }
      paragraphs.next();
    }
  }

  /** Puts an empty line between the texts of rounds, and holds them back until they may be said. */
  private static final class Paragraphs implements Consumer<String> {
    private final Consumer<String> text;
    private final StringBuilder heldBack = new StringBuilder();
    private boolean holds;
    private boolean begun;
    private boolean due;

    Paragraphs(Consumer<String> text, boolean holds) {
      this.text = text;
      this.holds = holds;
    }

    void next() {
      due = begun;
    }

    void release() {
      holds = false;
      text.accept(heldBack.toString());
      heldBack.setLength(0);
    }

    @Override
    public void accept(String piece) {
      String said = due ? "\n\n" + piece : piece;
      due = false;
      begun = true;
      if (holds) {
        heldBack.append(said);
      } else {
        text.accept(said);
      }
    }
  }
}
