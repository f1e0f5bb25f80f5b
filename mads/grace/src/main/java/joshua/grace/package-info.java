/** The relay: lets MCP clients send, subscribe and poll, with a bounded queue for each (Grace). */
@NullMarked
package joshua.grace;

import org.jspecify.annotations.NullMarked;
