package joshua.ssh.mina;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import joshua.kernel.TextExcerpt;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandHost;
import joshua.ssh.PrintableText;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The TAB completions: verbs, their options, and the candidates that a verb offers. */
final class ShellCompleter implements Completer {
  private static final Logger log = LoggerFactory.getLogger(ShellCompleter.class);

  /** The maximum number of candidates. */
  static final int MOST = 200;

  private final CommandHost host;
  private final AdminCaller adminCaller;

  ShellCompleter(CommandHost host, AdminCaller adminCaller) {
    this.host = host;
    this.adminCaller = adminCaller;
  }

  @Override
  public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    List<String> before = line.words().subList(0, line.wordIndex());
    String begun = line.word().substring(0, line.wordCursor());
    try {
      List<String> all = new ArrayList<>(host.complete(before, adminCaller));
      if (before.isEmpty()) {
        all.add(AdminShell.EXIT);
      }
      // A word that a terminal could take for a control sequence isn't offered.
      all.removeIf(word -> !word.startsWith(begun) || !PrintableText.text(word).equals(word));
      if (begun.isEmpty() && !all.stream().allMatch(ShellCompleter::isOption)) {
        all.removeIf(ShellCompleter::isOption);
      }
      List<String> offered = all.stream().limit(MOST).toList();
      int columns = reader.getTerminal().getSize().getColumns();
      if (before.isEmpty()) {
        addVerbs(offered, columns, candidates);
      } else {
        offered.forEach(word -> candidates.add(candidate(word, word)));
      }
    } catch (RuntimeException e) {
      log.error("there is no completion of {} because of a mistake", before, e);
    }
  }

  /** Where another kind of word is possible, options are offered only after a dash. */
  private static boolean isOption(String word) {
    return word.startsWith("-");
  }

  /** Offers verbs with their descriptions. */
  private void addVerbs(List<String> offered, int columns, List<Candidate> candidates) {
    Map<String, String> sentences =
        host.known().stream()
            .collect(Collectors.toMap(CommandHost.Known::name, CommandHost.Known::sentence));
    int width = offered.stream().mapToInt(String::length).max().orElse(0);
    for (String verb : offered) {
      String row = verb + " ".repeat(width + 2 - verb.length()) + sentences.getOrDefault(verb, "");
      int most = Math.max(verb.length(), columns - 1);
      candidates.add(candidate(verb, TextExcerpt.of(row.stripTrailing(), most - 1)));
    }
  }

  private static Candidate candidate(String word, String shown) {
    return new Candidate(word, shown, null, null, null, null, true);
  }
}
