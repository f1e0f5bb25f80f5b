package joshua.thought;

import java.util.List;

/**
 * What the Imperator sees at first.
 *
 * @param messages the conversation so far, the prompt last
 * @param state what was looked up for it beforehand
 * @param remarks what was cut
 * @param room tokens that are left for what queries and the model add
 */
record PromptContext(
    String system,
    List<ModelMessage> messages,
    List<Evidence> state,
    List<String> remarks,
    int room) {}
