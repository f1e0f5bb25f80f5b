package joshua.e2e;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import java.util.List;
import java.util.Map;
import joshua.testing.FreePort;

/** A debugger on a JVM: it stops a thread for good, or makes one die of an error. */
final class JvmDebugger implements AutoCloseable {
  private static final long STOPS_WITHIN_MILLIS = 10_000;

  private final VirtualMachine jvm;

  private JvmDebugger(VirtualMachine jvm) {
    this.jvm = jvm;
  }

  /**
   * The prefix that starts a program so that a debugger can attach, for {@link
   * TestEnvironment#up(List, String...)}.
   */
  record Door(int port) {
    static Door any() {
      return new Door(FreePort.any());
    }

    List<String> by() {
      return List.of(
          "/usr/bin/env",
          "JAVA_TOOL_OPTIONS=-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,includevirtualthreads=y,address=127.0.0.1:"
              + port);
    }
  }

  static JvmDebugger at(TestEnvironment environment, Door door) {
    AttachingConnector socket =
        Bootstrap.virtualMachineManager().attachingConnectors().stream()
            .filter(each -> each.name().equals("com.sun.jdi.SocketAttach"))
            .findFirst()
            .orElseThrow();
    Map<String, Connector.Argument> arguments = socket.defaultArguments();
    arguments.get("hostname").setValue("127.0.0.1");
    arguments.get("port").setValue(Integer.toString(door.port()));
    try {
      return environment.add(new JvmDebugger(socket.attach(arguments)));
    } catch (Exception e) {
      throw new AssertionError("no debugger", e);
    }
  }

  /** Suspends a thread of that name from now on; returns its whole name. */
  String suspend(String prefix) {
    ThreadReference thread = thread(prefix);
    thread.suspend();
    return thread.name();
  }

  /**
   * Makes it throw an OutOfMemoryError where it is, one of those that the JVM keeps for that case.
   */
  String outOfMemory(String prefix) {
    ThreadReference thread = thread(prefix);
    ObjectReference error =
        jvm.classesByName("java.lang.OutOfMemoryError").getFirst().instances(1).getFirst();
    try {
      System.out.println("an OutOfMemoryError for " + thread);
      thread.stop(error);
    } catch (Exception e) {
      throw new AssertionError("no error in " + thread, e);
    }
    return thread.name();
  }

  /** As {@link #outOfMemory}, at the beginning of a method. */
  void outOfMemoryIn(String prefix, String type, String method) {
    BreakpointRequest stop =
        jvm.eventRequestManager()
            .createBreakpointRequest(
                jvm.classesByName(type).getFirst().methodsByName(method).getFirst().location());
    stop.addThreadFilter(thread(prefix));
    stop.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
    stop.enable();
    try {
      EventSet stopped;
      do {
        stopped = jvm.eventQueue().remove(STOPS_WITHIN_MILLIS);
      } while (stopped.stream().noneMatch(BreakpointEvent.class::isInstance));
      outOfMemory(prefix);
      stop.disable();
      stopped.resume();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  private ThreadReference thread(String prefix) {
    return jvm.allThreads().stream()
        .filter(thread -> thread.name().startsWith(prefix))
        .findFirst()
        .orElseThrow(
            () -> new AssertionError("no thread " + prefix + " among " + jvm.allThreads()));
  }

  @Override
  public void close() {
    try {
      jvm.dispose();
    } catch (RuntimeException e) {
      System.out.println("the debugged JVM is gone: " + e);
    }
  }
}
