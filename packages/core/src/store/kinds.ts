import type { Account, AnyConnector, ApiKey } from '../domain/access/access.ts'
import type { TokenKey } from '../domain/access/token-key.ts'
import type { AlertRule } from '../domain/alert/alert-rule.ts'
import type { OutboundCall } from '../domain/call/outbound-call.ts'
import type { AccountId } from '../domain/ids.ts'
import type { PhoneNumber } from '../domain/telephony/phone-number.ts'
import type { PooledNumber } from '../domain/telephony/pooled-number.ts'
import type { TextPair } from '../domain/text/text-pair.ts'
import type { Voice } from '../domain/voice/voice.ts'
import type { Column, Kind, Versioned } from './documents.ts'

const text = <T>(of: (value: T) => string | null): Column<T> => ({ type: 'text', of })
const number = <T>(of: (value: T) => number | null): Column<T> => ({ type: 'number', of })

const id = (value: { readonly id: string }): string => value.id
const version = (value: { readonly version: number }): number => value.version
const ACCOUNT_ID = text(({ accountId }: { readonly accountId: string | null }) => accountId)
const AGENT_ID = text(({ agentId }: { readonly agentId: string | null }) => agentId)
const CREATED_AT = number(({ createdAt }: { readonly createdAt: number }) => createdAt)

/** A secret of the platform's own, by its name. */
export interface Secret {
  readonly name: string
  readonly value: string
}

/** Secrets, none of which ever changes. */
export const SECRET: Kind<Versioned<Secret>> = {
  name: 'secret',
  id: ({ name }) => name,
  version,
  columns: {},
  indexes: {},
  goesWith: {},
}

/** Keys that sign access tokens. */
export const TOKEN_KEY: Kind<Versioned<TokenKey>> = {
  name: 'token_key',
  id,
  version,
  columns: { number: number(key => key.number) },
  indexes: { number: ['number'] },
  goesWith: {},
}

/** Accounts. */
export const ACCOUNT: Kind<Versioned<Account>> = {
  name: 'account',
  id,
  version,
  columns: { slug: text(({ slug }) => slug), created_at: CREATED_AT },
  indexes: { slug: ['slug'], time: ['created_at'] },
  goesWith: {},
}

/** API keys. */
export const API_KEY: Kind<Versioned<ApiKey>> = {
  name: 'api_key',
  id,
  version,
  columns: {
    hash: text(({ hash }) => hash),
    account_id: ACCOUNT_ID,
    agent_id: AGENT_ID,
    created_at: CREATED_AT,
  },
  indexes: {
    hash: ['hash'],
    time: ['created_at'],
    account: ['account_id', 'created_at'],
    agent: ['agent_id', 'created_at'],
  },
  goesWith: {},
}

/** Connectors of either kind; one for calls has no token. */
export const CONNECTOR: Kind<Versioned<AnyConnector>> = {
  name: 'connector',
  id,
  version,
  columns: {
    kind: text(({ kind }) => kind),
    token_hash: text(connector => (connector.kind === 'messaging' ? connector.tokenHash : null)),
    account_id: ACCOUNT_ID,
    agent_id: AGENT_ID,
    created_at: CREATED_AT,
  },
  indexes: {
    token: ['token_hash'],
    time: ['kind', 'created_at'],
    account: ['kind', 'account_id', 'created_at'],
    agent: ['kind', 'agent_id', 'created_at'],
  },
  goesWith: {},
}

/** Phone numbers of agents. */
export const PHONE_NUMBER: Kind<Versioned<PhoneNumber>> = {
  name: 'phone_number',
  id: value => value.number,
  version,
  columns: { agent_id: AGENT_ID, connector_id: text(({ connectorId }) => connectorId) },
  indexes: { agent: ['agent_id'], connector: ['connector_id', 'agent_id'] },
  goesWith: { agent: 'agent_id' },
}

/** Numbers of agents' pools. Those that keep what an earlier caller got them for stand in `used`. */
export const POOLED_NUMBER: Kind<Versioned<PooledNumber>> = {
  name: 'pooled_number',
  id: value => value.number,
  version,
  columns: {
    agent_id: AGENT_ID,
    free_from: number(({ freeFrom }) => freeFrom),
    used_until: number(({ attributes, freeFrom }) => (attributes === null ? null : freeFrom)),
  },
  indexes: { agent: ['agent_id'], free: ['agent_id', 'free_from'], used: ['agent_id', 'used_until'] },
  goesWith: { agent: 'agent_id' },
}

/** Voices of accounts. */
export const VOICE: Kind<Voice> = {
  name: 'voice',
  id,
  version,
  columns: { account_id: ACCOUNT_ID, created_at: CREATED_AT },
  indexes: { account: ['account_id', 'created_at'] },
  goesWith: {},
}

/** Alert rules of accounts, and of their agents. */
export const ALERT_RULE: Kind<AlertRule> = {
  name: 'alert_rule',
  id,
  version,
  columns: {
    account_id: ACCOUNT_ID,
    agent_id: AGENT_ID,
    created_at: CREATED_AT,
    enabled_account_id: text(({ accountId, enabled }) => (enabled ? accountId : null)),
  },
  indexes: { account: ['account_id', 'created_at'], enabled: ['enabled_account_id'] },
  goesWith: { agent: 'agent_id' },
}

/** When the rules of an account are evaluated next; null: none of them is enabled. */
export interface AlertTurn {
  readonly accountId: AccountId
  readonly dueAt: number | null
}

/** Accounts whose rules are evaluated. */
export const ALERT_TURN: Kind<Versioned<AlertTurn>> = {
  name: 'alert_turn',
  id: ({ accountId }) => accountId,
  version,
  columns: { due_at: number(({ dueAt }) => dueAt) },
  indexes: { due: ['due_at'] },
  goesWith: {},
}

/** The id of what is known of two numbers. */
export const pairId = (ours: string, theirs: string): string => JSON.stringify([ours, theirs])

/** Pairs of numbers that text each other. */
export const TEXT_PAIR: Kind<TextPair> = {
  name: 'text_pair',
  id: ({ ours, theirs }) => pairId(ours, theirs),
  version,
  columns: { agent_id: AGENT_ID },
  indexes: { agent: ['agent_id'] },
  goesWith: { agent: 'agent_id' },
}

/** Calls that agents make. */
export const OUTBOUND_CALL: Kind<OutboundCall> = {
  name: 'outbound_call',
  id,
  version,
  columns: { agent_id: AGENT_ID, due_at: number(({ dueAt }) => dueAt) },
  indexes: { agent: ['agent_id'], due: ['due_at'] },
  goesWith: { agent: 'agent_id', conversation: 'id' },
}

/** Every kind that is kept as documents, by its name. */
export const DOCUMENT_KINDS = {
  secret: SECRET,
  token_key: TOKEN_KEY,
  account: ACCOUNT,
  api_key: API_KEY,
  connector: CONNECTOR,
  phone_number: PHONE_NUMBER,
  pooled_number: POOLED_NUMBER,
  voice: VOICE,
  alert_rule: ALERT_RULE,
  alert_turn: ALERT_TURN,
  text_pair: TEXT_PAIR,
  outbound_call: OUTBOUND_CALL,
} as const

/** Of each kind, what its documents are. */
export type DocumentParts = {
  readonly [Name in keyof typeof DOCUMENT_KINDS]: (typeof DOCUMENT_KINDS)[Name] extends Kind<infer T>
    ? T
    : never
}

/** Every kind that is kept as documents, in the order of their tables. */
export const KINDS: readonly Kind<unknown>[] = Object.values(DOCUMENT_KINDS) as readonly Kind<never>[]
