package joshua.e2e;

import java.util.List;

/** The MCP clients that Joshua is tried with, and the ways in which they connect. */
enum GuestKind {
  SDK1_HTTP("TypeScript SDK 1.32.2, HTTP") {
    @Override
    Guest visit(Group group, String mad) {
      return SdkGuest.start("sdk1", List.of(http(group, mad)));
    }
  },
  SDK1_WS("TypeScript SDK 1.32.2, WebSocket") {
    @Override
    Guest visit(Group group, String mad) {
      return SdkGuest.start("sdk1", List.of(ws(group, mad)));
    }
  },
  SDK2_MODERN_HTTP("TypeScript SDK 2.4.0, 2026-07-28, HTTP") {
    @Override
    Guest visit(Group group, String mad) {
      return SdkGuest.start("sdk2-modern", List.of(http(group, mad)));
    }
  },
  SDK2_AUTO_HTTP("TypeScript SDK 2.4.0, auto, HTTP") {
    @Override
    Guest visit(Group group, String mad) {
      return SdkGuest.start("sdk2-auto", List.of(http(group, mad)));
    }
  },
  SDK2_LEGACY_HTTP("TypeScript SDK 2.4.0, 2025-11-25, HTTP") {
    @Override
    Guest visit(Group group, String mad) {
      return SdkGuest.start("sdk2-legacy", List.of(http(group, mad)));
    }
  },
  SDK2_MODERN_BRIDGE("TypeScript SDK 2.4.0, 2026-07-28, joshua mcp") {
    @Override
    Guest visit(Group group, String mad) {
      return SdkGuest.start("sdk2-modern", bridge(group));
    }
  },
  SDK2_LEGACY_BRIDGE("TypeScript SDK 2.4.0, 2025-11-25, joshua mcp") {
    @Override
    Guest visit(Group group, String mad) {
      return SdkGuest.start("sdk2-legacy", bridge(group));
    }
  },
  LANGCHAIN_HTTP("LangChain4j MCP 1.18.1-beta28, HTTP") {
    @Override
    Guest visit(Group group, String mad) {
      return new LangChainGuest(http(group, mad));
    }
  },
  LANGCHAIN_WS("LangChain4j MCP 1.18.1-beta28, WebSocket") {
    @Override
    Guest visit(Group group, String mad) {
      return new LangChainGuest(ws(group, mad));
    }
  },
  INSPECTOR_MODERN_HTTP("Inspector 2.12.0, 2026-07-28, HTTP") {
    @Override
    Guest visit(Group group, String mad) {
      return InspectorGuest.to(http(group, mad), group.stage().path(), "modern");
    }
  },
  INSPECTOR_LEGACY_HTTP("Inspector 2.12.0, 2025-11-25, HTTP") {
    @Override
    Guest visit(Group group, String mad) {
      return InspectorGuest.to(http(group, mad), group.stage().path(), "legacy");
    }
  },
  INSPECTOR_MODERN_BRIDGE("Inspector 2.12.0, 2026-07-28, joshua mcp") {
    @Override
    Guest visit(Group group, String mad) {
      return InspectorGuest.starting(bridge(group), group.stage().path(), "modern");
    }
  },
  INSPECTOR_LEGACY_BRIDGE("Inspector 2.12.0, 2025-11-25, joshua mcp") {
    @Override
    Guest visit(Group group, String mad) {
      return InspectorGuest.starting(bridge(group), group.stage().path(), "legacy");
    }
  };

  private final String title;

  GuestKind(String title) {
    this.title = title;
  }

  /**
   * A new one, not connected.
   *
   * @param mad whom it will call; by the bridge it calls all of them
   */
  abstract Guest visit(Group group, String mad);

  /** A new one that will call Grace. */
  Guest visit(Group group) {
    return visit(group, "grace");
  }

  /** Whether it reaches all MADs at once. */
  boolean callsTheBridge() {
    return title.endsWith("joshua mcp");
  }

  /** Whether it keeps a connection, so that it can notice a restart and hear what is pushed. */
  boolean stays() {
    return !title.startsWith("Inspector");
  }

  /** As the documentation calls it. */
  @Override
  public String toString() {
    return title;
  }

  private static String http(Group group, String mad) {
    return "http://127.0.0.1:%d/mcp".formatted(group.port(mad));
  }

  private static String ws(Group group, String mad) {
    return "ws://127.0.0.1:%d/mcp".formatted(group.port(mad));
  }

  private static List<String> bridge(Group group) {
    return Built.command(
        group.stage().scratch(),
        List.of(
            "mcp",
            "--settings-file",
            "/dev/null",
            "--data-dir",
            group.data().toString(),
            "--grace-port",
            "0"));
  }
}
