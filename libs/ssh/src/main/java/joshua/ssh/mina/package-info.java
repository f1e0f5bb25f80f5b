/**
 * Verbs over SSH (REQ-JS-01/04, REQ-JS-02, REQ-JS-05): the only users of Apache MINA SSHD and
 * JLine.
 */
package joshua.ssh.mina;
