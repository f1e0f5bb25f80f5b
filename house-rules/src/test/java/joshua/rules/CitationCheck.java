package joshua.rules;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Checks what our files cite: ids of requirements and statements to prove, which must be in
 * docs/requirements.md, and sections of the wire contract, which are headings of
 * docs/protocol/contract.md. Of a range both ends must be there.
 *
 * @param root of the project
 * @param requirements the ids that the page lists
 * @param statements the numbers that its section "Works" lists
 * @param sections the numbers of the contract's headings
 */
record CitationCheck(
    Path root, Set<String> requirements, Set<String> statements, Set<String> sections) {
  static final String REQUIREMENTS = "docs/requirements.md";
  static final String CONTRACT = "docs/protocol/contract.md";

  /** An id with what follows it: 02, -04…-08; 01/04; 16…18; 04 to -08. */
  private static final Pattern REQUIREMENT =
      Pattern.compile(
          "(?<!\\w)(?<kind>REQ-[A-Z]+-|\\+[A-Z]{2}-)"
              + "(?<numbers>\\d+(?:(?:(?:,\\s*|\\sto\\s|\\sand\\s)-|[/…–]-?)\\d+)*)");

  private static final Pattern STATEMENT =
      Pattern.compile(
          "(?<kind>\\bWorks\"?\\s)(?<numbers>\\d+(?:(?:,\\s*|[…–]|\\sto\\s|\\sand\\s)\\d+)*)");
  private static final Pattern SECTION =
      Pattern.compile(
          "(?<kind>(?i)\\bwire\\scontract(?:\\]\\([^)\\s]*\\))?\\s§)"
              + "(?<numbers>\\d[\\d.]*(?:(?:,\\s*|\\sand\\s|[…–])§?\\d[\\d.]*)*)");
  private static final Pattern OF_AN_RFC = Pattern.compile("RFC\\s\\d+\\s§[\\d.]+");
  private static final Pattern OF_THIS_PAGE = Pattern.compile("(?<kind>§)(?<numbers>\\d[\\d.]*)");
  private static final Pattern NUMBER = Pattern.compile("\\d+(?:\\.\\d+)*");

  private static final Pattern LISTED =
      Pattern.compile("(?m)^\\| (?<id>(?:REQ-[A-Z]+-|\\+[A-Z]{2}-)\\d+) \\|");
  private static final Pattern LISTED_STATEMENT = Pattern.compile("(?m)^\\| (?<id>\\d+) \\|");
  private static final Pattern HEADING =
      Pattern.compile("(?m)^#{2,3} (?<id>\\d+(?:\\.\\d+)*)\\.? ");
  private static final Pattern TEST_CLASS = Pattern.compile("`(?<id>[A-Z]\\w*(?:Test|IT))`");

  /** The end of a line, and the beginning of a comment's next line. */
  private static final Pattern LINE_END = Pattern.compile("\\R[ \\t]*(?:\\*|//|--|#)?[ \\t]*");

  /** Replaces a line's end: white space that no file of ours contains. */
  private static final String JOINT = "\u000B";

  static CitationCheck of(Path root) {
    String page = ProjectFiles.read(root.resolve(REQUIREMENTS));
    return new CitationCheck(
        root,
        ids(LISTED, page),
        ids(LISTED_STATEMENT, page),
        ids(HEADING, ProjectFiles.read(root.resolve(CONTRACT))));
  }

  private static Set<String> ids(Pattern pattern, String page) {
    return pattern
        .matcher(page)
        .results()
        .map(match -> match.group("id"))
        .collect(Collectors.toSet());
  }

  /** One line for each citation in these files without a target. */
  List<String> unresolved(List<Path> files) {
    List<String> found = new ArrayList<>();
    for (Path file : files) {
      String text = LINE_END.matcher(ProjectFiles.read(file)).replaceAll(JOINT);
      new Search(file, text, REQUIREMENT, "has no line in " + REQUIREMENTS)
          .in(found, match -> listed(match, match.group("kind"), requirements));
      new Search(file, text, STATEMENT, "has no line in \"Works\" of " + REQUIREMENTS)
          .in(found, match -> listed(match, "", statements));
      new Search(file, text, SECTION, "is no heading of " + CONTRACT)
          .in(found, match -> listed(match, "", sections));
      boolean isContract = file.endsWith(CONTRACT);
      new Search(
              file,
              isContract ? text : without(SECTION, without(OF_AN_RFC, text)),
              OF_THIS_PAGE,
              isContract ? "is no heading here" : "is a section of nothing that is named")
          .in(found, match -> isContract && listed(match, "", sections));
    }
    return found;
  }

  private static boolean listed(MatchResult match, String kind, Set<String> known) {
    return NUMBER
        .matcher(match.group("numbers"))
        .results()
        .allMatch(number -> known.contains(kind + number.group()));
  }

  /** The same text, of the same length, with blanks in place of the matches. */
  private static String without(Pattern pattern, String text) {
    return pattern.matcher(text).replaceAll(match -> " ".repeat(match.group().length()));
  }

  /** One line for each mistake in the page of requirements itself. */
  List<String> mistakes(Set<String> testClasses) {
    Path file = root.resolve(REQUIREMENTS);
    String page = ProjectFiles.read(file);
    List<String> found = new ArrayList<>(MarkdownLinks.broken(root, List.of(file)));
    Set<String> seen = new HashSet<>();
    new Search(file, page, LISTED, "is listed a second time")
        .in(found, match -> seen.add(match.group("id")));
    new Search(file, page, TEST_CLASS, "is no test class")
        .in(found, match -> testClasses.contains(match.group("id")));
    return found;
  }

  /** A pattern to find in a file, and the message if a match isn't right. */
  private record Search(Path file, String text, Pattern pattern, String fault) {

    void in(List<String> found, Predicate<MatchResult> right) {
      pattern
          .matcher(text)
          .results()
          .filter(match -> !right.test(match))
          .forEach(match ->
              found.add(
                  "%s:%d: %s %s"
                      .formatted(
                          ProjectFiles.name(file),
                          line(match.start()),
                          match.group().replace(JOINT, " "),
                          fault)));
    }

    private long line(int offset) {
      return text.substring(0, offset)
              .chars()
              .filter(c -> c == '\n' || c == JOINT.charAt(0))
              .count()
          + 1;
    }
  }
}
