package joshua.kernel;

/** The beginning of a text that may be too long to show whole; surrogate pairs stay together. */
public final class TextExcerpt {
  private TextExcerpt() {}

  /** The text itself, or its first {@code longest} characters and "…". */
  public static String of(String text, int longest) {
    return text.length() <= longest ? text : beginning(text, longest) + "…";
  }

  /** At most the first {@code longest} characters, one fewer if a surrogate pair would be split. */
  public static String beginning(String text, int longest) {
    if (text.length() <= longest) {
      return text;
    }
    boolean parted =
        longest > 0 && Character.isSurrogatePair(text.charAt(longest - 1), text.charAt(longest));
    return text.substring(0, parted ? longest - 1 : longest);
  }
}
