/**
 * Verbs for admins (REQ-JS-03, +JS-07), who may run them, and how their output is made harmless:
 * nothing here knows of sockets or of SSH.
 */
package joshua.ssh;
