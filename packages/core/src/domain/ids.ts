/** A string that names one kind of thing. Plain strings are taken for it; ids of two kinds cannot be mixed up. */
type Id<Kind extends string> = string & { readonly __id?: Kind }

/** `ws-<id>`: an account, which is the same thing as a workspace. */
export type AccountId = Id<'account'>
/** `PROJECT-<id>`: an agent, which is the same thing as a project. */
export type AgentId = Id<'agent'>
/** `BRANCH-<id>`, or `main`. */
export type BranchId = Id<'branch'>
/** `DEPLOYMENT-<id>`. */
export type DeploymentId = Id<'deployment'>
/** A conversation of any channel: a messaging session's `session_id`, or `AS_CHAT_<uuid>`. */
export type ConversationId = Id<'conversation'>
/** One input and the agent's answer to it. The agent runtime's idempotency key. */
export type TurnId = Id<'turn'>
/** `<conversation id>.<ordinal>`: one hand-over to a live agent. */
export type HandoffId = Id<'handoff'>
/** `KEY-<id>`. */
export type ApiKeyId = Id<'api-key'>
/** The `kid` of access tokens. */
export type TokenKeyId = Id<'token-key'>
/** `CONNECTOR-<id>`. */
export type ConnectorId = Id<'connector'>
/** `TESTRUN-<id>`: one run of an agent's test cases. */
export type TestRunId = Id<'test-run'>
/** `ROLLOUT-<id>`: two versions of an agent that share one environment. */
export type RolloutId = Id<'rollout'>
/** `whe_<id>`, or `WEBHOOK-<id>` for an older one: the endpoint of an account for events. */
export type WebhookEndpointId = Id<'webhook-endpoint'>
/** `EVENT-<uuid>`: an event for webhook endpoints. Never holds a dot. */
export type WebhookEventId = Id<'webhook-event'>
/** `<event id>.<endpoint id>`: one event on its way to one endpoint. */
export type WebhookDeliveryId = Id<'webhook-delivery'>
/** `ar_<id>`: what an account wants to be alerted to. */
export type AlertRuleId = Id<'alert-rule'>
/** `AUDIT-<id>`: an entry of the audit log. */
export type AuditEntryId = Id<'audit-entry'>

/** The branch every agent has; it changes by merges alone. */
export const MAIN_BRANCH_ID: BranchId = 'main'

/** Reports whether an id that may be a deployment's is a branch's instead: a debug chat may run a branch (DC8). */
export const isBranchId = (id: DeploymentId | BranchId): id is BranchId =>
  id === MAIN_BRANCH_ID || id.startsWith('BRANCH-')
