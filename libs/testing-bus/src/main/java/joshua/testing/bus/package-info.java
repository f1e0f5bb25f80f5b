/** An in-memory bus for tests: the same contract as Redis, without a process or a socket. */
@org.jspecify.annotations.NullMarked
package joshua.testing.bus;
