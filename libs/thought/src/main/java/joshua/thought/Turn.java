package joshua.thought;

/** One earlier prompt of a conversation, and what was answered. */
public record Turn(String prompt, String answer) {}
