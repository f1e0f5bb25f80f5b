/** The adapter that serves tools over HTTP and WebSocket, on Javalin and Jetty. */
package joshua.network.http;
