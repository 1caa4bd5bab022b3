import type { Family } from '../../packages/core/src/domain/family.ts'

/** Title of each family, and the page of the contract about its answers. */
export const FAMILIES: Readonly<Record<Family, readonly [title: string, page: string]>> = {
  agents: ['Agents', 'agents.md'],
  'debug-chat': ['Debug chat', 'debug-chat.md'],
  chat: ['Turn-based chat', 'chat.md'],
  'conversations-v1': ['Conversations v1', 'conversations.md'],
  'conversations-v3': ['Conversations v3', 'conversations.md'],
  concurrency: ['Concurrency', 'conversations.md'],
  'external-events': ['External events', 'external-events.md'],
  messaging: ['Messaging', 'messaging.md'],
  operator: ['Operator', 'operator.md'],
  desk: ['Desk', 'desk.md'],
  webhooks: ['Webhooks', 'webhooks.md'],
  alerts: ['Alerts', 'alerts.md'],
  texts: ['Texts', 'texts.md'],
  calls: ['Outbound calls', 'calls.md'],
  'handoff-state': ['Handoff state', 'conversations.md'],
  'number-reservation': ['Number reservation', 'number-reservation.md'],
}
