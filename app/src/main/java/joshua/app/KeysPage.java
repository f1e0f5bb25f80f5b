package joshua.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import joshua.kernel.Json;
import joshua.ssh.AddressPatterns;
import joshua.ssh.AuthorizedKey;
import joshua.ssh.AuthorizedKeys;
import joshua.ssh.StyledLine;
import joshua.ssh.TextTable;

/**
 * The output of {@code joshua keys list}: a line per key, and a line for each line of the file that
 * isn't an accepted key, with its number.
 */
record KeysPage(Path file, AuthorizedKeys keys) {

  ObjectNode json() {
    ObjectNode page = Json.object().put("file", file.toString());
    ArrayNode list = page.putArray("keys");
    List<AuthorizedKeys.Line> lines = keys.lines();
    for (int i = 0; i < lines.size(); i++) {
      switch (lines.get(i)) {
        case AuthorizedKeys.Line.Remark _ -> {}
        case AuthorizedKeys.Line.Unusable unusable ->
            list.addObject().put("line", i + 1).put("problem", unusable.reason());
        case AuthorizedKeys.Line.Usable usable -> add(list.addObject(), i + 1, usable.key());
      }
    }
    return page;
  }

  private static void add(ObjectNode node, int line, AuthorizedKey key) {
    node.put("line", line)
        .put("name", key.name())
        .put("role", key.role().word())
        .put("type", key.key().type())
        .put("bits", key.key().bits())
        .put("fingerprint", key.key().fingerprint())
        .put("from", key.from().map(AddressPatterns::toString).orElse(null))
        .put("expires", key.expires().map(Instant::toString).orElse(null));
  }

  List<StyledLine> lines() {
    TextTable textTable =
        new TextTable("#LINE", "NAME", "ROLE", "TYPE", "#BITS", "FINGERPRINT", "FROM", "UNTIL");
    List<AuthorizedKeys.Line> lines = keys.lines();
    for (int i = 0; i < lines.size(); i++) {
      String number = String.valueOf(i + 1);
      switch (lines.get(i)) {
        case AuthorizedKeys.Line.Remark _ -> {}
        case AuthorizedKeys.Line.Unusable unusable ->
            textTable.add(number, "-", "NOT TAKEN", "-", "-", unusable.reason(), "", "");
        case AuthorizedKeys.Line.Usable usable -> add(textTable, number, usable.key());
      }
    }
    return textTable.isEmpty()
        ? List.of(StyledLine.of("No keys in " + file + "."))
        : textTable.lines();
  }

  private static void add(TextTable textTable, String number, AuthorizedKey key) {
    textTable.add(
        number,
        key.name(),
        key.role().word(),
        key.key().type(),
        String.valueOf(key.key().bits()),
        key.key().fingerprint(),
        key.from().map(AddressPatterns::toString).orElse("anywhere"),
        key.expires().map(Instant::toString).orElse(""));
  }
}
