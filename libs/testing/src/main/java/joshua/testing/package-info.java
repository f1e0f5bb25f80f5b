/**
 * Test support: real servers and processes, raw clients, a faulty network. It depends on Redis and
 * JSON text, and not on the bus's own classes, so that every module can use it.
 */
package joshua.testing;
