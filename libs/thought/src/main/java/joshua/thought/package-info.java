/**
 * How a MAD answers a prompt: DTR, LPPM, CET, Imperator, one after the other, and the whitelist of
 * read-only queries that is all they know of the world. Nothing here knows of HTTP or of a library
 * of models.
 */
package joshua.thought;
