package joshua.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * The output of a tool that answers with pictures, sound or documents rather than with data.
 *
 * @param content blocks of MCP
 */
public record ContentBlocks(String status, List<ObjectNode> content) {
  public ContentBlocks(List<ObjectNode> content) {
    this("success", content);
  }
}
