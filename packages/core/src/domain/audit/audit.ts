import type { AccountId, AgentId, AuditEntryId } from '../ids.ts'
import type { JsonObject } from '../json.ts'

/**
 * All actions that leave an entry in the audit log, with their details (AU1). The part before the dot is the type of
 * the resource, the part after it the action.
 */
export const AUDIT_ACTIONS = {
  'account.created': 'An account was created',
  'api_key.created': 'An API key was issued',
  'api_key.revoked': 'An API key was revoked',
  'token_key.rotated': 'Access tokens are signed with a new key',
  'connector.created': 'A connector was created',
  'connector.changed': 'Settings of a connector were changed',
  'connector.context_keys_rotated': 'A connector got a new context key',
  'connector.context_keys_revoked': 'The context keys of a connector were revoked',
  'connector.revoked': 'A connector was revoked',
  'phone_number.imported': 'Phone numbers were imported',
  'phone_number.changed': 'A phone number is answered by another connector',
  'phone_number.deleted': 'A phone number was deleted',
  'pooled_number.added': 'Numbers were added to the pool of an agent',
  'pooled_number.removed': 'A number was removed from the pool of an agent',
  'voice.created': 'A voice was added to the library of an account',
  'voice.changed': 'A voice of a library was changed',
  'cached_audio.changed': 'The sound of something that an agent has said was replaced',
  'cached_audio.deleted': 'The sound of something that an agent has said was deleted',
  'agent.created': 'An agent was created',
  'agent.duplicated': 'An agent was created as a copy of another one',
  'agent.updated': 'An agent was given another name',
  'agent.deleted': 'An agent was deleted with its branches, deployments and real-time configs',
  'branch.merged': 'A branch was merged to main and deployed to sandbox',
  'branch.deleted': 'A branch was deleted with its changes',
  'deployment.published': 'What main holds was deployed',
  'deployment.promoted': 'A version was deployed to a later environment',
  'deployment.rolled_back': 'An earlier version was deployed again',
  'rollout.started': 'Two versions of an agent share an environment from now on',
  'rollout.share_changed': 'The candidate of a rollout got another share',
  'rollout.parked': 'An alert rule has taken the share of a rollout’s candidate away',
  'rollout.ended': 'A rollout ended: its winner got the whole environment',
  'test_run.started': 'Test cases were run on a branch, or once more on a deployment',
  'replay.started': 'Recorded conversations were replayed with a deployment',
  'replay.accepted': 'What became of a group of replayed turns was accepted',
  'real_time_config.schema_changed': 'The schema of a real-time config was replaced or removed',
  'real_time_config.variables_changed': 'Variables of a real-time config were written or removed',
  'handoff.accepted': 'A live agent took a visitor',
  'handoff.taken_over': 'A live agent took a visitor over from another one',
  'handoff.left': 'A live agent left a visitor, or an operator ended the talk',
  'handoff.returned': 'A live agent, or an operator, gave a visitor back to the AI agent',
  'handoff.transferred': 'A live agent, or an operator, gave a visitor to a colleague or into a queue',
  'handoff.rejected': 'A waiting visitor was refused',
  'shared_reply.created': 'A reply was added that live agents share',
  'shared_reply.changed': 'A shared reply was changed',
  'shared_reply.deleted': 'A shared reply was deleted',
  'queue.hours_changed': 'The hours of a queue were set',
  'queue.hours_removed': 'The hours of a queue were removed',
  'view.saved': 'A view of the list of conversations was saved',
  'view.deleted': 'A saved view was deleted',
  'queue.assignment_changed': 'The way was set in which the visitors of a queue are assigned',
  'queue.assignment_removed': 'The visitors of a queue were left to anyone',
  'webhook_endpoint.created': 'A webhook endpoint was added',
  'webhook_endpoint.changed': 'Settings of a webhook endpoint were changed',
  'webhook_endpoint.secret_rotated': 'A webhook endpoint got a new secret',
  'webhook_endpoint.deleted': 'A webhook endpoint was deleted with its deliveries',
  'alert_rule.created': 'An alert rule was added',
  'alert_rule.changed': 'Settings of an alert rule were changed',
  'alert_rule.deleted': 'An alert rule was deleted',
  'conversation.listened': 'Somebody listened to the recorded calls of a conversation',
  'conversation.removed': 'A finished conversation was removed',
  'conversations.purge_started': 'A purge of finished conversations began',
  'conversations.purge_ended': 'A purge of finished conversations came to its end, or was stopped',
  'visitor.exported': 'All data of a visitor was exported',
  'visitor.purge_started': 'The removal of all data of a visitor began',
  'visitor.purge_ended': 'The removal of all data of a visitor came to its end, or was stopped',
  'audit_log.purge_started': 'A purge of old entries of the audit log began',
  'audit_log.purge_ended': 'A purge of old entries of the audit log came to its end, or was stopped',
} as const

/** The name of an action: `<resource type>.<action>`. */
export type AuditAction = keyof typeof AUDIT_ACTIONS

/**
 * The kinds of actors: the holder of an API key, somebody whom the host has signed in, a host that calls the library,
 * or the platform itself.
 */
export const ACTOR_TYPES = ['api_key', 'person', 'library', 'platform'] as const
export type ActorType = (typeof ACTOR_TYPES)[number]

/** The one who did something. */
export interface Actor {
  readonly type: ActorType
  /** An API key's id, or the host's own id of a person or of its actor; null without any. */
  readonly id: string | null
  /** The key's name, or what the host calls the person or its actor; `""` for none. */
  readonly name: string
}

/** The actor of a call, and the request that made it. */
export interface Caller extends Actor {
  /** Null outside of a request. */
  readonly correlationId: string | null
}

/** A record of an action: the actor, the action and its target. Never holds a secret, nor a hash of one (AU6). */
export interface AuditEntry {
  readonly id: AuditEntryId
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly actor: Actor
  readonly action: AuditAction
  /** Null for what concerns no account in particular. */
  readonly accountId: AccountId | null
  readonly agentId: AgentId | null
  readonly resource: {
    /** The part of the action before the dot. */
    readonly type: string
    /** Null for what concerns many. */
    readonly id: string | null
  }
  readonly details: JsonObject
  readonly correlationId: string | null
}

/** A host that calls the library and says nothing about itself. */
export const LIBRARY: Caller = { type: 'library', id: null, name: '', correlationId: null }

/** The platform as the actor of what it does automatically. */
export const PLATFORM: Caller = { type: 'platform', id: null, name: '', correlationId: null }

/** Returns an actor as one word: a person by name, a key by its id, others without a name by type. */
export const actorWord = ({ type, id, name }: Actor): string => (type === 'api_key' ? id : name || id) ?? type

/** Returns the type of an action's resource. */
export const resourceTypeOf = (action: AuditAction): string => action.slice(0, action.indexOf('.'))

/** True for the name of an action. */
export const isAuditAction = (value: string): value is AuditAction => Object.hasOwn(AUDIT_ACTIONS, value)
