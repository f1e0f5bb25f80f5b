// The official TypeScript SDK's stateless server, with one tool: echo. Writes its port.
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

function server() {
  const echo = new McpServer({ name: "echo", version: "1" });
  echo.registerTool("echo", { description: "Says it again.", inputSchema: { text: z.string() } }, async ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  return echo;
}

// Without sessions each request has a server and a transport of its own, as the SDK's example does it.
const http = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const echo = server();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  response.on("close", () => {
    transport.close();
    echo.close();
  });
  await echo.connect(transport);
  await transport.handleRequest(request, response, JSON.parse(Buffer.concat(chunks).toString()));
});
http.listen(0, "127.0.0.1", () => console.log(http.address().port));
