package joshua.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A command line taken apart, and put together again. */
class WordsTest {

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
  void areReadAsAShellReadsThem(String line, String expected) throws VerbFailed {
    String typed = line.replace("\\t", "\t");
    assertThat(String.join(",", Words.split(typed))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ask 'open", "ask \"open", "ask \"open\\\""})
  void aQuotationMarkMustBeClosed(String line) {
    assertThatThrownBy(() -> Words.split(line)).hasMessageStartingWith("a quotation mark");
  }

  @Test
  void haveABound() throws VerbFailed {
    String longest = "x".repeat(Words.MAX_CHARACTERS);
    assertThat(Words.split(longest)).containsExactly(longest);
    assertThatThrownBy(() -> Words.split(longest + "x"))
        .hasMessage("a command line has at most 65536 characters");

    List<String> most = java.util.Collections.nCopies(Words.MAX_WORDS, "w");
    assertThat(Words.check(most)).hasSize(Words.MAX_WORDS);
    assertThatThrownBy(() -> Words.split("w ".repeat(Words.MAX_WORDS + 1)))
        .hasMessage("a command line has at most 256 words and 65536 characters");
    assertThatThrownBy(() -> Words.check(List.of(longest, "x")))
        .hasMessage("a command line has at most 256 words and 65536 characters");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"plain", "two words", "it's", "", "\\", "a\"b", "$(id)", "line\nend", "ünï", "-x"})
  void whatIsWrittenReadsTheSame(String word) throws VerbFailed {
    assertThat(Words.split(Words.quoted(word))).containsExactly(word);
    assertThat(Words.split(Words.written(List.of("ask", word)))).containsExactly("ask", word);
  }
}
