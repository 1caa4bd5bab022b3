/** Agents, their revisions, deployments and tests. */
export const AGENTS = `
-- An id belongs to its first account for good; deleted_at is that of the newest deletion.
create table agent_id (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  deleted_at bigint
);

create table agent (
  row bigint generated always as identity primary key,
  id text collate "C" not null unique,
  account_id text collate "C" not null,
  name text not null,
  created_at bigint not null,
  updated_at bigint not null,
  -- Numbers of the newest revision and of the newest deployment.
  revision integer not null,
  deployment integer not null
);
create index agent_of_account on agent (account_id, created_at, id);

create table revision (
  agent bigint not null references agent on delete cascade,
  number integer not null,
  content_hash text not null,
  content_bytes bigint not null,
  created_at bigint not null,
  primary key (agent, number)
);

create table resource (
  agent bigint not null references agent on delete cascade,
  kind text collate "C" not null,
  id text collate "C" not null,
  revision integer not null,
  name text collate "C",
  value text,
  primary key (agent, kind, id, revision)
);
create index resource_change on resource (agent, revision);
create index resource_named on resource (agent, name) where name is not null;

create table branch (
  row bigint generated always as identity primary key,
  agent bigint not null references agent on delete cascade,
  id text collate "C" not null,
  name text not null,
  base_revision integer not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  unique (agent, id)
);

create table branch_change (
  branch bigint not null references branch on delete cascade,
  kind text collate "C" not null,
  id text collate "C" not null,
  value text,
  primary key (branch, kind, id)
);

create table deployment (
  agent bigint not null references agent on delete cascade,
  number integer not null,
  id text collate "C" not null,
  account_id text collate "C" not null,
  environment text collate "C" not null,
  revision integer not null,
  version text not null,
  type text not null,
  message text not null,
  created_by text not null,
  created_at bigint not null,
  primary key (agent, number),
  unique (agent, id)
);
create index deployment_of_environment on deployment (agent, environment, number);

create table real_time_config (
  agent bigint not null references agent on delete cascade,
  environment text collate "C" not null,
  version integer not null,
  updated_at bigint not null,
  variables text not null,
  schema text,
  primary key (agent, environment)
);

create table test_run (
  row bigint generated always as identity primary key,
  agent bigint not null references agent on delete cascade,
  id text collate "C" not null,
  deployment_id text collate "C" not null,
  version text not null,
  status text not null,
  started_at bigint not null,
  lease_until bigint not null,
  attempts integer not null,
  writes integer not null,
  run text not null,
  unique (agent, id)
);
create index test_run_list on test_run (agent, started_at, id);
create index test_run_due on test_run (lease_until, id) where status = 'running';

create table test_result (
  run bigint not null references test_run on delete cascade,
  test_case_id text collate "C" not null,
  result text not null,
  primary key (run, test_case_id)
);
-- Results of replays go with the conversations that they replay.
create index test_result_case on test_result (test_case_id);
`
