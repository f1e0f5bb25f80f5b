package joshua.conversation;

/**
 * Somebody who follows channels. Called on the thread that reads the bus: take it and return, never
 * wait. A message comes once, however many of the receiver's patterns match it.
 */
public interface Receiver {
  void deliver(Delivery delivery);

  void missed(Gap gap);
}
