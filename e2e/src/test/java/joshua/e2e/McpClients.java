package joshua.e2e;

import java.nio.file.Files;
import java.nio.file.Path;
import joshua.testing.TestRequirements;

/** The npm package {@code e2e/mcp-clients}: MCP clients, pinned, and the Node that they run on. */
final class McpClients {
  static final Path DIRECTORY = BuiltProgram.HOME.resolve("e2e/mcp-clients");

  private McpClients() {}

  /** A program of the package. */
  static Path program(String name) {
    Path program = DIRECTORY.resolve("node_modules/.bin").resolve(name);
    TestRequirements.thing(
        Files.isExecutable(program),
        "needs the packages of e2e/mcp-clients (npm ci there, or ./joshua test)");
    return program;
  }

  /** The Node of the package: some clients need a newer one than machines have. */
  static Path node() {
    return program("node");
  }
}
