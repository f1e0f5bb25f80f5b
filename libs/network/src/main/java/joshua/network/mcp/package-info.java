/**
 * The MCP engine: protocol versions 2026-07-28 and up to 2025-11-25, without any transport. What it
 * serves are the tools, resources, prompts and tasks of an {@link joshua.network.mcp.McpService}.
 */
package joshua.network.mcp;
