package joshua.thought;

/** One earlier prompt of a conversation, and what was answered. */
public record ConversationTurn(String prompt, String answer) {}
