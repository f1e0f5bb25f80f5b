package joshua.dewey.archive;

/**
 * The messages that a reader may read: on topics and broadcast all, direct ones if it sent them, if
 * they are for it, or if it may read those of others.
 *
 * @param readsAll whether it may read the direct messages of others
 * @param name the reader's; empty for none
 */
public record Visibility(boolean readsAll, String name) {
  /** The condition on rows of {@code message}; its placeholders are the components, in order. */
  static final String SQL =
      "(%1$s or channel not glob 'mad.direct.*' or sender_id = %2$s or channel = 'mad.direct.' || %2$s)";
}
