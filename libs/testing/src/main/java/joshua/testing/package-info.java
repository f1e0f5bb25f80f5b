/**
 * What tests stand on: real servers and processes, raw clients, an adverse network. It knows Redis
 * and JSON text, and nothing of the bus's own classes, so that every module can use it.
 */
package joshua.testing;
