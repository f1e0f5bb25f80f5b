/**
 * The answering of prompts by a MAD: DTR, LPPM, CET, Imperator, one after the other, and the
 * whitelist of read-only queries that is their only access to data. Independent of HTTP and of
 * model libraries.
 */
package joshua.thought;
