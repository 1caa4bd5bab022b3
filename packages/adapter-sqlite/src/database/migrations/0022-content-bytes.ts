import type { Migration } from '../migrate.ts'

/**
 * Every revision keeps the bytes of its content (AG72). Those of earlier ones are added up in one pass, change by
 * change, of which SQLite reads the lengths alone, and not the texts.
 */
export const contentBytes: Migration = {
  version: 22,
  name: 'content-bytes',
  sql: `
ALTER TABLE revision ADD COLUMN content_bytes INTEGER NOT NULL DEFAULT 0;
WITH version AS (
  SELECT agent, kind, id, revision, coalesce(octet_length(value), 0) AS bytes
  FROM resource INDEXED BY resource_version
), change AS (
  SELECT agent, revision, bytes - lag(bytes, 1, 0) OVER (PARTITION BY agent, kind, id ORDER BY revision) AS more FROM version
), step AS (
  SELECT agent, revision, sum(more) AS more FROM change GROUP BY agent, revision
)
UPDATE revision SET content_bytes = whole.bytes FROM (
  SELECT revision.agent, number, sum(coalesce(more, 0)) OVER (PARTITION BY revision.agent ORDER BY number) AS bytes
  FROM revision LEFT JOIN step ON step.agent = revision.agent AND step.revision = number
) AS whole
WHERE whole.agent = revision.agent AND whole.number = revision.number;
`,
}
