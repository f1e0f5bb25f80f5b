/** The admin commands that every MAD has (REQ-JS-03). */
package joshua.app.verbs;
