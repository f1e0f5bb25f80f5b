/** A service of somebody else's, as an example of how to take part in the conversation. */
package joshua.example.weather;
