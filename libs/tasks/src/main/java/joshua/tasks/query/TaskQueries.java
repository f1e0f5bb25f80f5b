package joshua.tasks.query;

import java.time.InstantSource;
import java.util.List;
import joshua.state.Database;
import joshua.tasks.store.SqlQuery;
import joshua.thought.Query;
import joshua.thought.QuerySpec;

/**
 * The queries that read only the table of tasks, each a single SQL statement. A MAD chooses which
 * of them it offers.
 */
public final class TaskQueries {
  private static final int FEW = 20;
  private static final int MANY = 200;

  /** One statement, in the form of {@link SqlQuery}. */
  private record Statement(QuerySpec spec, String sql, int defaultLimit) {}

  private static final List<Statement> STATEMENTS =
      List.of(
          new Statement(
              TaskQuerySpecs.TASKS,
              """
              select task_id, status, requester_id as requester, created_at, updated_at,
                     substr(prompt, 1, 200) as prompt
              from tasks where %1$s
              order by task_id desc limit ?
              """,
              FEW),
          new Statement(
              TaskQuerySpecs.COUNT_TASKS,
              """
              select count(*) as tasks from tasks where %1$s limit ?
              """,
              1),
          new Statement(
              TaskQuerySpecs.TASK,
              """
              select task_id, status, requester_id as requester, attempt, created_at, started_at,
                     case when status in ('COMPLETED', 'FAILED') then updated_at end as finished_at,
                     json_extract(error_details, '$.message') as error,
                     substr(prompt, 1, 1000) as prompt
              from tasks where %1$s
              order by task_id desc limit ?
              """,
              FEW),
          new Statement(
              TaskQuerySpecs.TASK_RESULT,
              """
              select task_id, requester_id as requester, updated_at as finished_at,
                     substr(coalesce(json_extract(result_payload, '$.text'), (
                       select group_concat(
                         value ->> '$.model' || ': '
                           || coalesce(value ->> '$.text', '(' || (value ->> '$.error') || ')'),
                         char(10) || char(10) order by key)
                       from json_each(result_payload, '$.answers'))), 1, 20000) as text
              from tasks where status = 'COMPLETED' and %1$s
              order by task_id desc limit ?
              """,
              1),
          new Statement(
              TaskQuerySpecs.FAILURES,
              """
              select task_id, requester_id as requester, updated_at as finished_at,
                     json_extract(error_details, '$.message') as error
              from tasks where status = 'FAILED' and %1$s
              order by task_id desc limit ?
              """,
              FEW),
          new Statement(
              TaskQuerySpecs.FAILURE_REASONS,
              """
              with failed as (
                select json_extract(error_details, '$.message') as message, updated_at
                from tasks where status = 'FAILED' and %1$s)
              select case when instr(message, '. ') > 0
                       then substr(message, 1, instr(message, '. ')) else message end as error,
                     count(*) as tasks, max(updated_at) as last_at
              from failed
              group by error order by tasks desc, error limit ?
              """,
              FEW),
          new Statement(
              TaskQuerySpecs.RUNNING,
              """
              select task_id, status, requester_id as requester, started_at,
                     unixepoch(%2$s) - unixepoch(started_at) as seconds,
                     substr(prompt, 1, 200) as prompt
              from tasks where status in ('RUNNING', 'STREAMING') and %1$s
              order by started_at limit ?
              """,
              MANY),
          new Statement(
              TaskQuerySpecs.REQUESTERS,
              """
              select requester_id as requester, count(*) as tasks, sum(status = 'FAILED') as failed,
                     max(created_at) as last_at
              from tasks where %1$s
              group by requester_id order by tasks desc, requester limit ?
              """,
              FEW),
          new Statement(
              TaskQuerySpecs.DURATIONS,
              """
              with took as (
                select (julianday(updated_at) - julianday(started_at)) * 86400 as seconds
                from tasks where status in ('COMPLETED', 'FAILED') and %1$s),
              ranked as (
                select seconds, row_number() over (order by seconds) as place, count(*) over () as n
                from took)
              select count(*) as tasks, round(avg(seconds), 3) as average_s,
                     round(min(case when place * 2 >= n then seconds end), 3) as median_s,
                     round(min(case when place * 100 >= n * 95 then seconds end), 3) as p95_s,
                     round(max(seconds), 3) as longest_s
              from ranked limit ?
              """,
              1),
          new Statement(
              TaskQuerySpecs.SLOWEST,
              """
              select task_id, status, requester_id as requester,
                     round((julianday(updated_at) - julianday(started_at)) * 86400, 3) as seconds,
                     started_at, substr(prompt, 1, 200) as prompt
              from tasks where status in ('COMPLETED', 'FAILED') and %1$s
              order by seconds desc limit ?
              """,
              FEW),
          new Statement(
              TaskQuerySpecs.USAGE,
              """
              with results as (
                select requester_id, result_payload from tasks
                where status = 'COMPLETED' and %1$s),
              answered as (
                select requester_id, result_payload as answer from results
                union all
                select requester_id, value from results, json_each(result_payload, '$.answers')),
              used as (
                select answer ->> '$.model' as model, requester_id as requester,
                       answer ->> '$.usage.tokens_in' as tokens_in,
                       answer ->> '$.usage.tokens_out' as tokens_out
                from answered)
              select model, requester, count(*) as answers, sum(tokens_in) as tokens_in,
                     sum(tokens_out) as tokens_out
              from used where tokens_out is not null
              group by model, requester order by sum(tokens_out) desc, model, requester limit ?
              """,
              MANY),
          new Statement(
              TaskQuerySpecs.ACTIVITY,
              """
              select substr(created_at, 1, 13) || ':00:00Z' as hour, count(*) as tasks,
                     sum(status = 'FAILED') as failed
              from tasks where %1$s
              group by hour order by hour desc limit ?
              """,
              MANY));

  private TaskQueries() {}

  /**
   * The queries with these names.
   *
   * @param offered from {@link TaskQuerySpecs}, or under the same name with a MAD's own description
   * @throws IllegalArgumentException if one doesn't exist
   */
  public static List<Query> on(Database database, InstantSource time, List<QuerySpec> offered) {
    return offered.stream().<Query>map(spec -> on(database, time, spec)).toList();
  }

  private static SqlQuery on(Database database, InstantSource time, QuerySpec spec) {
    Statement statement =
        STATEMENTS.stream()
            .filter(each -> each.spec().name().equals(spec.name()))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no query of tasks: " + spec.name()));
    return new SqlQuery(
        spec, database, time, statement.sql(), new TaskArguments(), statement.defaultLimit());
  }
}
