package joshua.thought.model;

import java.time.Instant;

/** A problem of a service: a word for it, since when, and sentences without secrets. */
public record Problem(String what, Instant at, String detail) {}
