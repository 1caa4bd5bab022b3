import type { Migration } from '../migrate.ts'

/**
 * Webhook endpoints have a name, headers and a time-out of their own. One from before is called what its description
 * said, or else its address, and its receiver may take as long as it could before.
 */
export const webhookEndpointShape: Migration = {
  version: 17,
  name: 'webhook-endpoint-shape',
  sql: `
ALTER TABLE webhook_endpoint RENAME COLUMN description TO name;
ALTER TABLE webhook_endpoint RENAME COLUMN events TO event_types;
ALTER TABLE webhook_endpoint ADD COLUMN headers TEXT NOT NULL DEFAULT '{}';
ALTER TABLE webhook_endpoint ADD COLUMN timeout INTEGER NOT NULL DEFAULT 10000;
UPDATE webhook_endpoint SET name = substr(CASE WHEN name = '' THEN url ELSE name END, 1, 255);
`,
}
