import type { Pinning, TurnReply } from '../../domain/conversation/command.ts'

/** A deployment for conversations to run. */
export const PINNING: Pinning = {
  deploymentId: 'DEPLOYMENT-1',
  revision: 1,
  languageCode: 'en-GB',
  agentName: 'Front desk',
  variantId: 'VARIANT-1',
  variantName: 'default',
}

/** Returns an answer of the agent that says the text, and does nothing else unless `more` says so. */
export const textReply = (text: string, more: Partial<TurnReply> = {}): TurnReply => ({
  text,
  messageId: 'reply',
  attachments: [],
  suggestions: [],
  callActions: [],
  chunks: null,
  variables: {},
  metrics: {},
  integrationAttributes: {},
  setAttributes: {},
  language: null,
  expectedEvents: [],
  handoff: null,
  end: false,
  silence: false,
  outOfDomain: false,
  turn: { record: {}, details: {} },
  ...more,
})
