import type { Migration } from '../migrate.ts'

/** Which conversation the key of a message stands for. Keys of before are known in their conversations alone. */
export const messageKeys: Migration = {
  version: 9,
  name: 'message-keys',
  sql: `
create table message_key (
  key text collate "C" primary key,
  conversation bigint not null references conversation_head on delete cascade,
  taken_at bigint not null
);
create index message_key_of_conversation on message_key (conversation);
create index message_key_taken on message_key (taken_at);
`,
}
