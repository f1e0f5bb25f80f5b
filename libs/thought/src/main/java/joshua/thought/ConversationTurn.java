package joshua.thought;

/** One earlier prompt of a conversation, and its answer. */
public record ConversationTurn(String prompt, String answer) {}
