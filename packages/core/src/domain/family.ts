/** A group of routes with one host, one credential, one error body and one limit of its bodies. */
export type Family =
  | 'agents'
  | 'debug-chat'
  | 'chat'
  | 'conversations-v1'
  | 'conversations-v3'
  | 'concurrency'
  | 'external-events'
  | 'messaging'
  | 'operator'
  | 'desk'
  | 'webhooks'
  | 'alerts'
