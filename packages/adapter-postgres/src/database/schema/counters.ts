/** The counters by which alert rules are evaluated. */
export const COUNTERS = `
-- What concerns no agent has the agent ''.
create table counter (
  account_id text collate "C" not null,
  name text collate "C" not null,
  minute bigint not null,
  agent_id text collate "C" not null,
  value bigint not null,
  count bigint not null,
  primary key (account_id, name, minute, agent_id, value)
);
create index counter_by_minute on counter (minute);
`
