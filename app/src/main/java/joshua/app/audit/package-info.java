/** The record of what admins did, and of who wasn't let in (+JS-07). */
package joshua.app.audit;
