/** Verbs by SSH (REQ-JS-01/04, REQ-JS-02, REQ-JS-05): all that sees Apache MINA SSHD and JLine. */
package joshua.ssh.mina;
