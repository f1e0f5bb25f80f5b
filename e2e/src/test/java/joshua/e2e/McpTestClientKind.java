package joshua.e2e;

import java.util.List;

/** The MCP clients that Joshua is tested with, and the ways in which they connect. */
enum McpTestClientKind {
  SDK1_HTTP("TypeScript SDK 1.32.2, HTTP") {
    @Override
    McpTestClient visit(GroupUnderTest groupUnderTest, String mad) {
      return SdkTestClient.start("sdk1", List.of(http(groupUnderTest, mad)));
    }
  },
  SDK1_WS("TypeScript SDK 1.32.2, WebSocket") {
    @Override
    McpTestClient visit(GroupUnderTest groupUnderTest, String mad) {
      return SdkTestClient.start("sdk1", List.of(ws(groupUnderTest, mad)));
    }
  },
  SDK2_MODERN_HTTP("TypeScript SDK 2.4.0, 2026-07-28, HTTP") {
    @Override
    McpTestClient visit(GroupUnderTest groupUnderTest, String mad) {
      return SdkTestClient.start("sdk2-modern", List.of(http(groupUnderTest, mad)));
    }
  },
  SDK2_AUTO_HTTP("TypeScript SDK 2.4.0, auto, HTTP") {
    @Override
    McpTestClient visit(GroupUnderTest groupUnderTest, String mad) {
      return SdkTestClient.start("sdk2-auto", List.of(http(groupUnderTest, mad)));
    }
  },
  SDK2_LEGACY_HTTP("TypeScript SDK 2.4.0, 2025-11-25, HTTP") {
    @Override
    McpTestClient visit(GroupUnderTest groupUnderTest, String mad) {
      return SdkTestClient.start("sdk2-legacy", List.of(http(groupUnderTest, mad)));
    }
  },
  SDK2_MODERN_BRIDGE("TypeScript SDK 2.4.0, 2026-07-28, joshua mcp") {
    @Override
    McpTestClient visit(GroupUnderTest groupUnderTest, String mad) {
      return SdkTestClient.start("sdk2-modern", bridge(groupUnderTest));
    }
  },
  SDK2_LEGACY_BRIDGE("TypeScript SDK 2.4.0, 2025-11-25, joshua mcp") {
    @Override
    McpTestClient visit(GroupUnderTest groupUnderTest, String mad) {
      return SdkTestClient.start("sdk2-legacy", bridge(groupUnderTest));
    }
  },
  LANGCHAIN_HTTP("LangChain4j MCP 1.18.1-beta28, HTTP") {
    @Override
    McpTestClient visit(GroupUnderTest groupUnderTest, String mad) {
      return new LangChainTestClient(http(groupUnderTest, mad));
    }
  },
  LANGCHAIN_WS("LangChain4j MCP 1.18.1-beta28, WebSocket") {
    @Override
    McpTestClient visit(GroupUnderTest groupUnderTest, String mad) {
      return new LangChainTestClient(ws(groupUnderTest, mad));
    }
  },
  INSPECTOR_MODERN_HTTP("Inspector 2.12.0, 2026-07-28, HTTP") {
    @Override
    McpTestClient visit(GroupUnderTest groupUnderTest, String mad) {
      return InspectorTestClient.to(
          http(groupUnderTest, mad), groupUnderTest.stage().path(), "modern");
    }
  },
  INSPECTOR_LEGACY_HTTP("Inspector 2.12.0, 2025-11-25, HTTP") {
    @Override
    McpTestClient visit(GroupUnderTest groupUnderTest, String mad) {
      return InspectorTestClient.to(
          http(groupUnderTest, mad), groupUnderTest.stage().path(), "legacy");
    }
  },
  INSPECTOR_MODERN_BRIDGE("Inspector 2.12.0, 2026-07-28, joshua mcp") {
    @Override
    McpTestClient visit(GroupUnderTest groupUnderTest, String mad) {
      return InspectorTestClient.starting(
          bridge(groupUnderTest), groupUnderTest.stage().path(), "modern");
    }
  },
  INSPECTOR_LEGACY_BRIDGE("Inspector 2.12.0, 2025-11-25, joshua mcp") {
    @Override
    McpTestClient visit(GroupUnderTest groupUnderTest, String mad) {
      return InspectorTestClient.starting(
          bridge(groupUnderTest), groupUnderTest.stage().path(), "legacy");
    }
  };

  private final String title;

  McpTestClientKind(String title) {
    this.title = title;
  }

  /**
   * Creates a client, not yet connected.
   *
   * @param mad the MAD it will call; through the bridge it calls all of them
   */
  abstract McpTestClient visit(GroupUnderTest groupUnderTest, String mad);

  /** Creates a client that will call Grace. */
  McpTestClient visit(GroupUnderTest groupUnderTest) {
    return visit(groupUnderTest, "grace");
  }

  /** Whether it reaches all MADs at once. */
  boolean callsTheBridge() {
    return title.endsWith("joshua mcp");
  }

  /** Whether it keeps a connection, so that it can notice a restart and receive notifications. */
  boolean stays() {
    return !title.startsWith("Inspector");
  }

  /** Its name in the documentation. */
  @Override
  public String toString() {
    return title;
  }

  private static String http(GroupUnderTest groupUnderTest, String mad) {
    return "http://127.0.0.1:%d/mcp".formatted(groupUnderTest.port(mad));
  }

  private static String ws(GroupUnderTest groupUnderTest, String mad) {
    return "ws://127.0.0.1:%d/mcp".formatted(groupUnderTest.port(mad));
  }

  private static List<String> bridge(GroupUnderTest groupUnderTest) {
    return BuiltProgram.command(
        groupUnderTest.stage().scratch(),
        List.of(
            "mcp",
            "--settings-file",
            "/dev/null",
            "--data-dir",
            groupUnderTest.data().toString(),
            "--grace-port",
            "0"));
  }
}
