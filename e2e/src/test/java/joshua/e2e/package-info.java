/**
 * Tests Joshua as its users meet it: the built program in separate processes, third-party clients,
 * signals, and a Redis that dies.
 */
@NullMarked
package joshua.e2e;

import org.jspecify.annotations.NullMarked;
