package joshua.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import joshua.integration.McpClient;
import joshua.program.Program.Run;
import org.junit.jupiter.api.Test;

/** {@code joshua token} (+JN-04). */
class TokenCommandTest extends ProgramTest {
  @Override
  Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>(Program.FREE_PORTS);
    environment.put("JOSHUA_TOKENS_FILE", directory.resolve("tokens").toString());
    return environment;
  }

  private int poll(String name, String token) throws Exception {
    McpClient client = McpClient.withToken(program.port("grace"), token);
    return client.post(McpClient.call("grace_poll_messages", "client_id", name)).statusCode();
  }

  @Test
  void tokensAreGivenOutListedAndTakenBack() throws Exception {
    Path file = directory.resolve("tokens");
    assertThat(program.run("token").complained()).isEqualTo("There are none.\n");
    Run added = program.run("token", "add", "viewer", "viewer");
    String token = added.said().strip();
    assertThat(added.complained()).startsWith("Shown once: ").contains("--token-file");
    String anns = program.run("token", "add", "ann").said().strip();
    assertThat(token).hasSize(43);
    assertThat(Files.readString(file)).doesNotContain(token);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    program.run("token", "add", "bob", "viewer");
    program.run("token", "revoke", "viewer");
    assertThat(program.run("token", "list").said()).isEqualTo("ann operator\nbob viewer\n");
    assertThat(program.run("token").said()).isEqualTo("ann operator\nbob viewer\n");

    Run up = program.run("up", "-d", "--bind", "0.0.0.0", "grace");
    assertThat(up.said())
        .contains("\n           listening on 0.0.0.0\n", "\n  Tokens   asked for: " + file + "\n");
    assertThat(poll("bob", "none")).isEqualTo(401);
    assertThat(poll("bob", anns)).isEqualTo(200);
    assertThat(Files.readString(program.data().resolve("audit.log")))
        .contains("\"event\":\"refused token\",\"by\":\"127.0.0.1\",\"what\":\"/")
        .contains("\"event\":\"forbidden\",\"by\":\"ann\",\"what\":\"grace_")
        .doesNotContain(anns);
    try (Program elsewhere = new Program(directory, Map.of())) { // it knows no tokens file
      assertThat(elsewhere.run("connect", "claude-code").said())
          .endsWith(" --header 'Authorization: Bearer ${MY_JOSHUA_TOKEN}'\n");
    }
    assertThat(program.run("stop").exitStatus()).isZero();

    Run wrong = program.run("token", "add", "ann", "boss");
    assertThat(wrong.exitStatus()).isEqualTo(2);
    assertThat(wrong.complained()).contains("(ROLE)", "VIEWER, OPERATOR, ADMIN", "boss");
  }
}
