package joshua.thought;

import java.util.List;

/**
 * The Imperator's initial input.
 *
 * @param messages the conversation so far, the prompt last
 * @param state results of queries run in advance
 * @param remarks what was cut
 * @param room tokens that remain for what queries and the model add
 */
record PromptContext(
    String system,
    List<ModelMessage> messages,
    List<Evidence> state,
    List<String> remarks,
    int room) {}
