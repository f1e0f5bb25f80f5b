/**
 * The stdio bridge (+JN-06): one MCP server on standard input and output that stands for all MADs
 * of a group, and outlives their restarts. To its client it speaks both eras of MCP, to the MADs
 * the stateless one over a WebSocket each.
 */
package joshua.network.bridge;
