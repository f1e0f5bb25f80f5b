package joshua.network;

/** What a caller may do: the third word of a line of the tokens file. */
public enum Role {
  /** Calls tools that only read. */
  VIEWER,
  /** Calls every tool. */
  OPERATOR,
  /** Calls every tool, and may act for others where a tool allows that. */
  ADMIN
}
