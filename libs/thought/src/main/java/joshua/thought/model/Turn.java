package joshua.thought.model;

/** What somebody asked earlier in a conversation, and was answered. */
public record Turn(String prompt, String answer) {}
