package joshua.thought.reading;

import java.util.List;
import java.util.Set;

/**
 * The vocabulary by which {@link RequesterExtractor} recognizes whose things a question is about.
 */
final class WhoWords {
  static final Set<String> MINE = Set.of("my", "mine", "myself");

  /** "for me" is the asker's; "tell me" is not. */
  static final Set<String> BEFORE_ME = Set.of("for", "by", "from", "on");

  /** Words that make "I" the requester of tasks, and not the one who is asking now. */
  static final Set<String> DEEDS =
      Set.of(
          "ask",
          "asked",
          "burn",
          "burned",
          "cause",
          "caused",
          "commission",
          "commissioned",
          "create",
          "created",
          "did",
          "do",
          "fire",
          "fired",
          "gave",
          "get",
          "give",
          "given",
          "got",
          "had",
          "hand",
          "handed",
          "have",
          "launch",
          "launched",
          "made",
          "make",
          "own",
          "post",
          "posted",
          "put",
          "queue",
          "queued",
          "request",
          "requested",
          "run",
          "ran",
          "send",
          "sent",
          "spend",
          "spent",
          "start",
          "started",
          "submit",
          "submitted",
          "throw",
          "threw",
          "use",
          "used",
          "consume",
          "consumed",
          "issued",
          "filed",
          "placed",
          "kick",
          "kicked",
          "publish",
          "published",
          "broadcast",
          "miss",
          "missed",
          "lose",
          "lost",
          "join",
          "joined",
          "leave",
          "left",
          "connect",
          "connected",
          "disconnect",
          "disconnected",
          "reconnect",
          "reconnected",
          "talk",
          "talked",
          "stream",
          "streamed",
          "keep",
          "kept",
          "still");

  static final Set<String> MAY =
      Set.of("can", "may", "could", "should", "might", "must", "shall", "would", "will");

  /** Polite ways of asking: "I want to see", "I'd like to know", "I have a question". */
  static final Set<String> WISHES =
      Set.of(
          "want", "would", "wish", "need", "wonder", "think", "am", "lost", "hope", "guess",
          "believe", "suppose", "forgot", "like");

  /** Words before a "me" that is merely the recipient, and doesn't say whose tasks. */
  static final Set<String> TELLING =
      Set.of(
          "tell",
          "telling",
          "show",
          "showing",
          "give",
          "giving",
          "sending",
          "get",
          "fetch",
          "bring",
          "hand",
          "read",
          "print",
          "let",
          "list",
          "find",
          "remind",
          "inform",
          "update",
          "help",
          "excuse",
          "pass",
          "allow",
          "of",
          "enlighten",
          "throw",
          "lend",
          "grab",
          "pull",
          "report",
          "say",
          "spare");

  /** The asker's things that a MAD knows of. */
  static final Set<String> WORK =
      QuestionVocabulary.stems(
          List.of(
              "task",
              "job",
              "request",
              "prompt",
              "submission",
              "failure",
              "error",
              "result",
              "answer",
              "usage",
              "token",
              "activity",
              "work",
              "stuff",
              "list",
              "history",
              "output",
              "consumption",
              "thing",
              "question",
              "query",
              "one",
              "failed",
              "pending",
              "running",
              "unfinished",
              "open",
              "completed",
              "response",
              "problem",
              "model",
              "llm",
              "text",
              "reply",
              "issue",
              "item",
              "run",
              "duration",
              "message",
              "state",
              "status",
              "health",
              "connection",
              "presence",
              "traffic",
              "count",
              "volume",
              "heartbeat",
              "queue",
              "gap",
              "broadcast",
              "loss",
              "storm",
              "loop",
              "alarm",
              "uptime",
              "last",
              "latest",
              "newest",
              "recent",
              "slowest",
              "longest"));

  /** "Said to me" was the asker's answer; "explain to me" is only a request. */
  static final Set<String> SAID =
      QuestionVocabulary.stems(
          List.of(
              "say",
              "said",
              "gave",
              "send",
              "sent",
              "came",
              "come",
              "back",
              "answered",
              "replied",
              "reply",
              "wrote",
              "write",
              "returned",
              "belong",
              "happened",
              "given",
              "told"));

  static final Set<String> HIT =
      QuestionVocabulary.stems(
          List.of(
              "hit", "plague", "affect", "concern", "gave", "sent", "told", "answered", "cost"));

  /** "Am I there?" and "do you see me?" ask for the asker's state. */
  static final Set<String> PRESENT =
      Set.of(
          "connected",
          "disconnected",
          "online",
          "offline",
          "there",
          "visible",
          "healthy",
          "stale",
          "registered",
          "up",
          "on",
          "in",
          "seen",
          "still",
          "gone",
          "known",
          "alive",
          "marked",
          "listed",
          "shown",
          "caught",
          "looping",
          "too");

  static final Set<String> SEEN =
      Set.of("see", "saw", "seen", "hear", "know", "lost", "lose", "about");

  /** The beginnings of polite questions. */
  static final Set<String> COURTEOUS =
      Set.of(
          "can", "could", "would", "please", "pls", "check", "count", "list", "show", "get",
          "fetch", "find", "give", "look", "pull");

  static final Set<String> OTHERS =
      Set.of("others", "else", "else's", "somebody", "someone", "nobody", "anyone");

  private WhoWords() {}
}
