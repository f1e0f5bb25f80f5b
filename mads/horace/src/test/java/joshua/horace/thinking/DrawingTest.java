package joshua.horace.thinking;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import joshua.kernel.Json;
import org.junit.jupiter.api.Test;

class DrawingTest {
  private static final List<String> NASTY =
      List.of(
          "say \"hi\"",
          "a[b",
          "a]b{c}",
          "(x)",
          "<b>&amp;</b>",
          "```js",
          "line\nbreak\r\n",
          "end",
          "subgraph x",
          "#35; #quot;",
          "%% comment",
          "a --> b; c",
          "|pipe|",
          "`**md**`",
          "\\ back\u001b[31m",
          "😀 ÄÖ 漢字",
          "click T1 \"javascript:x\"");

  /** Its drawing is in {@code target}, for Mermaid's own parser. */
  @Test
  void textsAndNamesMeanNothing() throws IOException {
    ObjectNode train = Json.object();
    int number = 0;
    for (String text : NASTY) {
      ObjectNode thought = train.withArray("thoughtHistory").addObject();
      thought.put("thoughtNumber", ++number).put("thought", text).put("branchId", text);
      ObjectNode branch = train.withObject("/branches").putObject("b" + number);
      branch.put("branchId", text).putArray("thoughts").add(thought.put("branchFromThought", 0));
    }
    String drawn = Drawing.mermaid(train, true);
    Files.writeString(Path.of("target/nasty.mmd"), drawn);
    assertThat(drawn)
        .contains("T1[\"1: say #34;hi#34;\"]", "B2[\"a#91;b\"]", "T7[\"7: line break \"]")
        .contains("T16[\"16: #128512; ÄÖ 漢字\"]", "back#27;#91;31m");
    assertThat(drawn.lines().filter(it -> it.contains("[\"")))
        .hasSize(3 * NASTY.size())
        .allMatch(
            it -> it.matches(" +(T0\\(|subgraph B|T)\\d*\\[\"[\\p{L}\\p{N} .,:+/#;-]*\"]\\)?"));
  }
}
