import type { Migration } from '../migrate.ts'

/** What the newest attempt of a delivery sent where, and what came back. It stands last: lists are read without it. */
export const webhookExchanges: Migration = {
  version: 37,
  name: 'webhook-exchanges',
  sql: 'ALTER TABLE webhook_delivery ADD COLUMN exchange TEXT;',
}
