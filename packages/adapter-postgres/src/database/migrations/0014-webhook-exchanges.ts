import type { Migration } from '../migrate.ts'

/** What the newest attempt of a delivery sent where, and what came back. */
export const webhookExchanges: Migration = {
  version: 14,
  name: 'webhook-exchanges',
  sql: 'alter table webhook_delivery add column exchange text;',
}
