import type { ApiKeyKind } from './access.ts'

/**
 * The permissions that a key of each kind can be limited to. A key without a list has all of them.
 * (contract/accounts-and-keys.md, Keys: a project key must be authorised for conversation and analytics endpoints.)
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

/** Begins the permission of a desk key that names a live agent as whom it may act; the live agent's id follows. */
const LIVE_AGENT = 'live-agent:'

/** Reports whether it is the permission to act as one live agent. */
export const isLiveAgentPermission = (permission: string): boolean =>
  permission.startsWith(LIVE_AGENT) && permission.length > LIVE_AGENT.length

/** Returns the ids of the live agents as whom a key may act; null: any, for a key that names none (DK40). */
export function liveAgentsOf({
  permissions,
}: {
  readonly permissions: readonly string[] | null
}): readonly string[] | null {
  const named = (permissions ?? []).filter(isLiveAgentPermission)
  return named.length === 0 ? null : named.map(permission => permission.slice(LIVE_AGENT.length))
}
