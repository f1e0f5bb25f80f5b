/** A third-party service, as an example of how to take part in the conversation. */
package joshua.example.weather;
