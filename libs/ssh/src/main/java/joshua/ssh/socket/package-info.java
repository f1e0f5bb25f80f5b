/**
 * The socket in the data directory by which the command line reaches the verbs of a running MAD:
 * lines of JSON, both ways, one connection a verb.
 */
package joshua.ssh.socket;
