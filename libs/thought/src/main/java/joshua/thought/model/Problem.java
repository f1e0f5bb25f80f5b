package joshua.thought.model;

import java.time.Instant;

/** What is wrong with a service and since when: a word for it, and sentences without secrets. */
public record Problem(String what, Instant at, String detail) {}
