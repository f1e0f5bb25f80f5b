package joshua.fiedler;

import java.time.InstantSource;
import java.util.List;
import joshua.state.Database;
import joshua.thought.Query;

/** The queries that are answered from the table of tasks alone, each by one SQL statement. */
final class TaskQueries {
  private static final int FEW = 20;
  private static final int MANY = 200;

  private TaskQueries() {}

  static List<Query> on(Database database, InstantSource time) {
    return List.of(
        new SqlQuery(
            QuerySpecs.TASKS,
            database,
            time,
            """
            select task_id, status, requester_id as requester, created_at, updated_at,
                   substr(prompt, 1, 200) as prompt
            from tasks where %1$s
            order by task_id desc limit ?
            """,
            FEW),
        new SqlQuery(
            QuerySpecs.COUNT_TASKS,
            database,
            time,
            """
            select count(*) as tasks from tasks where %1$s limit ?
            """,
            1),
        new SqlQuery(
            QuerySpecs.TASK,
            database,
            time,
            """
            select task_id, status, requester_id as requester, attempt, created_at, started_at,
                   case when status in ('COMPLETED', 'FAILED') then updated_at end as finished_at,
                   json_extract(error_details, '$.message') as error,
                   substr(prompt, 1, 1000) as prompt
            from tasks where %1$s
            order by task_id desc limit ?
            """,
            FEW),
        new SqlQuery(
            QuerySpecs.TASK_RESULT,
            database,
            time,
            """
            select task_id, requester_id as requester, updated_at as finished_at,
                   substr(json_extract(result_payload, '$.text'), 1, 20000) as text
            from tasks where status = 'COMPLETED' and %1$s
            order by task_id desc limit ?
            """,
            1),
        new SqlQuery(
            QuerySpecs.FAILURES,
            database,
            time,
            """
            select task_id, requester_id as requester, updated_at as finished_at,
                   json_extract(error_details, '$.message') as error
            from tasks where status = 'FAILED' and %1$s
            order by task_id desc limit ?
            """,
            FEW),
        new SqlQuery(
            QuerySpecs.FAILURE_REASONS,
            database,
            time,
            """
            select json_extract(error_details, '$.message') as error, count(*) as tasks,
                   max(updated_at) as last_at
            from tasks where status = 'FAILED' and %1$s
            group by error order by tasks desc, error limit ?
            """,
            FEW),
        new SqlQuery(
            QuerySpecs.RUNNING,
            database,
            time,
            """
            select task_id, status, requester_id as requester, started_at,
                   unixepoch(%2$s) - unixepoch(started_at) as seconds,
                   substr(prompt, 1, 200) as prompt
            from tasks where status in ('RUNNING', 'STREAMING') and %1$s
            order by started_at limit ?
            """,
            MANY),
        new SqlQuery(
            QuerySpecs.REQUESTERS,
            database,
            time,
            """
            select requester_id as requester, count(*) as tasks, sum(status = 'FAILED') as failed,
                   max(created_at) as last_at
            from tasks where %1$s
            group by requester_id order by tasks desc, requester limit ?
            """,
            FEW),
        new SqlQuery(
            QuerySpecs.DURATIONS,
            database,
            time,
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
        new SqlQuery(
            QuerySpecs.SLOWEST,
            database,
            time,
            """
            select task_id, status, requester_id as requester,
                   round((julianday(updated_at) - julianday(started_at)) * 86400, 3) as seconds,
                   started_at, substr(prompt, 1, 200) as prompt
            from tasks where status in ('COMPLETED', 'FAILED') and %1$s
            order by seconds desc limit ?
            """,
            FEW),
        new SqlQuery(
            QuerySpecs.USAGE,
            database,
            time,
            """
            select json_extract(result_payload, '$.model') as model, requester_id as requester,
                   count(*) as answers,
                   sum(json_extract(result_payload, '$.usage.tokens_in')) as tokens_in,
                   sum(json_extract(result_payload, '$.usage.tokens_out')) as tokens_out
            from tasks where status = 'COMPLETED'
              and json_extract(result_payload, '$.usage.tokens_out') is not null and %1$s
            group by model, requester_id order by tokens_out desc limit ?
            """,
            MANY),
        new SqlQuery(
            QuerySpecs.ACTIVITY,
            database,
            time,
            """
            select substr(created_at, 1, 13) || ':00:00Z' as hour, count(*) as tasks,
                   sum(status = 'FAILED') as failed
            from tasks where %1$s
            group by hour order by hour desc limit ?
            """,
            MANY));
  }
}
