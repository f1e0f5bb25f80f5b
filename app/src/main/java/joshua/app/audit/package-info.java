/** The audit log: what admins did, and which logins were rejected (+JS-07). */
package joshua.app.audit;
