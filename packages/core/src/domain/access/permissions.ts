import type { ApiKeyKind } from './access.ts'

/**
 * What a key of each kind can be limited to (contract/accounts-and-keys.md, Keys: a project key must be authorised for
 * conversation and analytics endpoints). A key without a list may do all of it.
 */
export const KEY_PERMISSIONS = {
  workspace: ['agents', 'debug-chat', 'webhooks', 'alerts', 'chat', 'texts', 'calls', 'conversations'],
  project: ['conversations', 'analytics', 'chat', 'texts', 'calls'],
  external_events: ['external-events'],
  desk: ['desk'],
  operator: ['operator'],
} as const satisfies Readonly<Record<ApiKeyKind, readonly string[]>>

/** The name of something a key may do. */
export type Permission = (typeof KEY_PERMISSIONS)[ApiKeyKind][number]
