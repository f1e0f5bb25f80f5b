package joshua.thought;

/** A file sent inline with a prompt (REQ-FD-03); its name is a label, never opened. */
public record PromptAttachment(String name, String text) {}
