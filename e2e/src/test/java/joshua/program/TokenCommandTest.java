package joshua.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
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
    String call =
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call",
          "params":{"name":"grace_poll_messages","arguments":{"client_id":"%s"}}}
        """
            .formatted(name);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(program.runFile().at("/services/grace").asText()))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + token);
    return HttpClient.newHttpClient()
        .send(request.POST(BodyPublishers.ofString(call)).build(), BodyHandlers.discarding())
        .statusCode();
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
