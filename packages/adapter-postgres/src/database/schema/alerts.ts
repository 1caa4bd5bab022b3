/** Alert rules, who evaluates those of an account, and the counters by which they are evaluated. */
export const ALERTS = `
-- How many rules an account has, and until when they are held by the process that evaluates them.
create table alert_account (
  account_id text collate "C" primary key,
  rules integer not null,
  held_until bigint not null
);

create table alert_rule (
  row bigint generated always as identity primary key,
  id text collate "C" not null unique,
  account_id text collate "C" not null,
  agent_id text collate "C",
  enabled boolean not null,
  version integer not null,
  created_at bigint not null,
  rule text not null
);
create index alert_rule_of_account on alert_rule (account_id, created_at, id);
create index alert_rule_of_agent on alert_rule (agent_id) where agent_id is not null;

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
