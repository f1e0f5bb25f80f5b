package joshua.horace;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.ConversationBus;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.ChannelPattern;
import joshua.horace.change.Announcer;
import joshua.horace.change.ChangeLog;
import joshua.horace.document.Documents;
import joshua.horace.document.Locks;
import joshua.horace.project.Decisions;
import joshua.horace.thinking.Sessions;
import joshua.horace.tool.Toolsets;
import joshua.horace.verb.HoraceVerbs;
import joshua.kernel.AwakeTime;
import joshua.kernel.Json;
import joshua.kernel.Recurring;
import joshua.kernel.ServiceLifecycle;
import joshua.network.Catalog;
import joshua.network.ReadinessCheck;
import joshua.service.BusCalls;
import joshua.service.ServiceContext;
import joshua.service.ServiceDescriptor;
import joshua.service.StartedService;
import joshua.state.Database;
import joshua.state.Migration;
import joshua.state.Pulse;

/** Shared memory: what agents write together. */
public final class Horace {
  public static final ServiceDescriptor<HoraceSettings> SERVICE =
      new ServiceDescriptor<>(
          "horace",
          "Shared memory: what agents write together, and who wrote it.",
          8004,
          2204,
          List.of("mad.direct.*", "mad.topic.horace.*", "mad.system.*"),
          HoraceSettings::new,
          HoraceVerbs.ALL,
          (context, settings) ->
              StartedService.of(
                  parts -> start(context, settings.versions(), settings.changesKept(), parts)));

  /** The schema of its database. */
  public static final List<Migration> MIGRATIONS =
      Stream.of(
              ChangeLog.MIGRATIONS, Documents.MIGRATIONS, Decisions.MIGRATIONS, Sessions.MIGRATIONS)
          .flatMap(List::stream)
          .toList();

  private Horace() {}

  private static StartedService start(
      ServiceContext context, int versions, Duration changesKept, ServiceLifecycle parts)
      throws IOException, BusUnavailableException, InterruptedException {
    Database database =
        parts.add("database", Database.open(context.database(), MIGRATIONS, context.time()));
    Pulse changes = new Pulse();
    Locks locks = new Locks(database, changes, new AwakeTime(System::nanoTime), context.time());
    Documents documents = new Documents(database, locks, versions);
    ConversationBus bus =
        new ConversationBus(context.bus(), context.self(), context.time(), Json.object());
    Announcer announcer = parts.add("announcer", new Announcer(database, changes, bus::send));
    Catalog catalog =
        new Toolsets(context, database, changes, announcer, documents, locks).catalog();
    BusCalls calls = new BusCalls(bus, catalog.tools(), context.access());
    parts.add("bus", bus);
    bus.subscribe(ChannelPattern.exactly(Channel.direct(context.self().name())), calls::answer);
    bus.join();
    ScheduledExecutorService clock =
        parts.add(
            "clock", Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory()));
    clock.scheduleWithFixedDelay(Recurring.surviving(locks::sweep), 1, 1, TimeUnit.SECONDS);
    clock.scheduleWithFixedDelay(
        Recurring.surviving(() -> trim(database, context, changesKept)), 0, 1, TimeUnit.HOURS);
    return new StartedService(
        catalog,
        List.of(context.busCheck(), new ReadinessCheck("database", database::problem)),
        List.of(),
        () -> {},
        parts);
  }

  private static void trim(Database database, ServiceContext context, Duration kept) {
    database.write(tx -> {
      ChangeLog.trim(tx, context.time().instant(), kept);
      Sessions.trim(tx, context.time().instant().minus(kept));
      return tx.update("delete from document_lock where ended is not null");
    });
  }
}
