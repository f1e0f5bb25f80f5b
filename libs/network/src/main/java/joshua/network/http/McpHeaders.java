package joshua.network.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.servlet.http.HttpServletRequest;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import joshua.network.ToolSpec;
import joshua.network.mcp.JsonRpc;
import joshua.network.mcp.ProtocolVersions;
import joshua.network.mcp.RpcError;

/**
 * The headers of MCP 2026-07-28 that repeat parts of the body, for proxies that route by them: they
 * must agree with the body (Streamable HTTP, "Server Validation").
 */
final class McpHeaders {
  static final String VERSION = "MCP-Protocol-Version";

  private static final String META_VERSION = "io.modelcontextprotocol/protocolVersion";
  private static final String METHOD = "Mcp-Method";
  private static final String NAME = "Mcp-Name";
  private static final String PARAM = "Mcp-Param-";
  private static final String ENCODED = "=?base64?";
  private static final String ENCODED_END = "?=";

  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

  /** A tool's argument that is repeated in a header: where it is, and in which. */
  private record Mirrored(List<String> path, String header) {}

  private final Map<String, List<Mirrored>> byTool = new HashMap<>();

  McpHeaders(List<ToolSpec> tools) {
    for (ToolSpec tool : tools) {
      List<Mirrored> mirrored = new ArrayList<>();
      collect(tool.inputSchema(), List.of(), mirrored);
      List<String> names =
          mirrored.stream().map(one -> one.header().toLowerCase(Locale.ROOT)).toList();
      if (Set.copyOf(names).size() < names.size()
          || !names.stream().allMatch(name -> TOKEN.matcher(name).matches())) {
        throw new IllegalArgumentException(
            "Tool \"%s\" has an x-mcp-header that is no header name, or one twice."
                .formatted(tool.name()));
      }
      byTool.put(tool.name(), List.copyOf(mirrored));
    }
  }

  private static void collect(JsonNode schema, List<String> path, List<Mirrored> mirrored) {
    schema
        .path("properties")
        .properties()
        .forEach(property -> {
          List<String> here = new ArrayList<>(path);
          here.add(property.getKey());
          JsonNode name = property.getValue().path("x-mcp-header");
          if (name.isTextual()) {
            mirrored.add(new Mirrored(List.copyOf(here), PARAM + name.asText()));
          }
          collect(property.getValue(), here, mirrored);
        });
  }

  /** Whether a request is of MCP 2026-07-28 or later. */
  static boolean isModern(HttpServletRequest request, ObjectNode params) {
    String version = request.getHeader(VERSION);
    return (version != null && !ProtocolVersions.isLegacy(version)) || JsonRpc.isModern(params);
  }

  /** Whether the version in the header is missing or another than in the body. */
  static Optional<RpcError> versionProblem(HttpServletRequest http, ObjectNode params) {
    JsonNode version = params.path("_meta").path(META_VERSION);
    return version.isTextual() ? compare(http, VERSION, version.asText()) : Optional.empty();
  }

  /** What is wrong with the other headers, if anything. */
  Optional<RpcError> problem(HttpServletRequest http, JsonRpc.Request request) {
    Optional<RpcError> problem = compare(http, METHOD, request.method());
    JsonNode name = name(request);
    if (problem.isEmpty() && name.isTextual()) {
      problem = compareDecoded(http, NAME, name);
    }
    if (problem.isEmpty() && request.method().equals("tools/call")) {
      JsonNode arguments = request.params().path("arguments");
      for (Mirrored one : byTool.getOrDefault(name.asText(), List.of())) {
        JsonNode value = arguments;
        for (String step : one.path()) {
          value = value.path(step);
        }
        problem = problem.isEmpty() ? compareDecoded(http, one.header(), value) : problem;
      }
    }
    return problem;
  }

  private static JsonNode name(JsonRpc.Request request) {
    return switch (request.method()) {
      case "tools/call", "prompts/get" -> request.params().path("name");
      case "resources/read" -> request.params().path("uri");
      case "tasks/get", "tasks/update", "tasks/cancel" -> request.params().path("taskId");
      default -> request.params().path("");
    };
  }

  private static Optional<RpcError> compare(
      HttpServletRequest http, String header, String expected) {
    List<String> values = Collections.list(http.getHeaders(header));
    return values.size() == 1 && values.getFirst().strip().equals(expected)
        ? Optional.empty()
        : mismatch(header);
  }

  private static Optional<RpcError> compareDecoded(
      HttpServletRequest http, String header, JsonNode expected) {
    List<String> values = Collections.list(http.getHeaders(header));
    if (expected.isMissingNode() || expected.isNull()) {
      return values.isEmpty() ? Optional.empty() : mismatch(header);
    }
    Optional<String> value =
        values.size() == 1 ? decoded(values.getFirst().strip()) : Optional.empty();
    return value.isPresent() && same(value.get(), expected) ? Optional.empty() : mismatch(header);
  }

  private static boolean same(String header, JsonNode expected) {
    if (expected.isNumber()) {
      try {
        return new BigDecimal(header).compareTo(expected.decimalValue()) == 0;
      } catch (NumberFormatException e) {
        return false;
      }
    }
    return header.equals(expected.asText());
  }

  /** The value as it was meant; empty if it can't be decoded. */
  private static Optional<String> decoded(String value) {
    if (!value.chars().allMatch(c -> c == '\t' || (c >= ' ' && c <= '~'))) {
      return Optional.empty();
    }
    if (!value.startsWith(ENCODED)
        || !value.endsWith(ENCODED_END)
        || value.length() < ENCODED.length() + ENCODED_END.length()) {
      return Optional.of(value);
    }
    String base64 = value.substring(ENCODED.length(), value.length() - ENCODED_END.length());
    if (base64.length() % 4 != 0) {
      return Optional.empty();
    }
    try {
      byte[] bytes = Base64.getDecoder().decode(base64);
      return Optional.of(UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (IllegalArgumentException | CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private static Optional<RpcError> mismatch(String header) {
    return Optional.of(
        RpcError.headerMismatch(
            "The header " + header + " must be there once and say the same as the body."));
  }
}
