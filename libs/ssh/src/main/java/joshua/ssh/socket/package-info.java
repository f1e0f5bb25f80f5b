/**
 * The socket in the data directory through which the command line runs verbs of a running MAD:
 * lines of JSON in both directions, one connection per verb.
 */
package joshua.ssh.socket;
