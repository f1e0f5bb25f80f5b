// Wakes a session that idles when messages wait for it on the bus. Written by joshua connect.
const wait = "WAIT"

export const Joshua = async ({ client, $ }) => {
  const wake = async (id) => {
    const session = await client.session.get({ path: { id } })
    if (session.data?.parentID) return // a subagent's
    const waited = await $`sh -c ${"exec " + wait}`.nothrow().quiet()
    if (waited.exitCode !== 2) return // 2: messages wait, as standard error says
    const text = waited.stderr.toString().trim()
    await client.session.promptAsync({ path: { id }, body: { parts: [{ type: "text", text }] } })
  }
  return {
    event: async ({ event }) => {
      if (event.type === "session.idle") wake(event.properties.sessionID).catch(() => {})
    },
  }
}
