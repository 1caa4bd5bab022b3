import type { Migration } from '../migrate.ts'

/** Calls that agents make. */
export const outboundCalls: Migration = {
  version: 11,
  name: 'outbound-calls',
  sql: `
create table outbound_call (
  id text collate "C" primary key,
  agent_id text collate "C" not null,
  due_at bigint not null,
  version integer not null,
  call text not null
);
create index outbound_call_of_agent on outbound_call (agent_id);
create index outbound_call_due on outbound_call (due_at);
`,
}
