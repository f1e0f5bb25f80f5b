/**
 * Tools, the registry that checks and runs their calls, and the protocols in which calls arrive:
 * nothing here knows of sockets or HTTP.
 */
package joshua.network;
