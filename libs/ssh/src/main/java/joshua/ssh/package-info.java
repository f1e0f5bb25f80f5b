/**
 * Verbs for admins (REQ-JS-03, +JS-07), who may run them, and how their output is made safe for
 * terminals; independent of sockets and SSH.
 */
package joshua.ssh;
