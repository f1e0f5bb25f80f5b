package joshua.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Splitting a command line into words, and joining them again. */
class CommandLineParserTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          task 1 cancel       | task,1,cancel
          \t task \t 1        | task,1
          ask "how is it?"    | ask,how is it?
          ask 'it''s'         | ask,its
          ask "a \\"b\\" \\\\"   | ask,a "b" \\
          ask "a\\n"          | ask,a\\n
          ask 'a\\"b'         | ask,a\\"b
          ask a\\ b           | ask,a b
          ask '' ""           | ask,,
          ask $HOME `id` *; & | ask,$HOME,`id`,*;,&
          ask a\\             | ask,a\\
          """)
  void areReadAsAShellReadsThem(String line, String expected) throws VerbFailedException {
    String typed = line.replace("\\t", "\t");
    assertThat(String.join(",", CommandLineParser.split(typed))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ask 'open", "ask \"open", "ask \"open\\\""})
  void aQuotationMarkMustBeClosed(String line) {
    assertThatThrownBy(() -> CommandLineParser.split(line))
        .hasMessageStartingWith("a quotation mark");
  }

  @Test
  void haveABound() throws VerbFailedException {
    String longest = "x".repeat(CommandLineParser.MAX_CHARACTERS);
    assertThat(CommandLineParser.split(longest)).containsExactly(longest);
    assertThatThrownBy(() -> CommandLineParser.split(longest + "x"))
        .hasMessage("a command line has at most 65536 characters");

    List<String> most = java.util.Collections.nCopies(CommandLineParser.MAX_WORDS, "w");
    assertThat(CommandLineParser.check(most)).hasSize(CommandLineParser.MAX_WORDS);
    assertThatThrownBy(() -> CommandLineParser.split("w ".repeat(CommandLineParser.MAX_WORDS + 1)))
        .hasMessage("a command line has at most 256 words and 65536 characters");
    assertThatThrownBy(() -> CommandLineParser.check(List.of(longest, "x")))
        .hasMessage("a command line has at most 256 words and 65536 characters");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"plain", "two words", "it's", "", "\\", "a\"b", "$(id)", "line\nend", "ünï", "-x"})
  void whatIsWrittenReadsTheSame(String word) throws VerbFailedException {
    assertThat(CommandLineParser.split(CommandLineParser.quoted(word))).containsExactly(word);
    assertThat(CommandLineParser.split(CommandLineParser.written(List.of("ask", word))))
        .containsExactly("ask", word);
  }
}
