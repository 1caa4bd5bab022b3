import { say } from './audit-texts.ts'

type Word = Parameters<typeof say>[0]

/** All actions of the audit log: of each thing, what is done to it (AU1). */
const DONE: Readonly<Partial<Record<Word, readonly Word[]>>> = {
  account: ['created'],
  api_key: ['created', 'revoked'],
  token_key: ['rotated'],
  connector: ['created', 'changed', 'revoked', 'context_keys_rotated', 'context_keys_revoked'],
  phone_number: ['imported', 'changed', 'deleted'],
  pooled_number: ['added', 'removed'],
  voice: ['created', 'changed'],
  cached_audio: ['changed', 'deleted'],
  agent: ['created', 'duplicated', 'updated', 'deleted'],
  branch: ['merged', 'deleted'],
  deployment: ['published', 'promoted', 'rolled_back'],
  rollout: ['started', 'share_changed', 'parked', 'ended'],
  test_run: ['started'],
  replay: ['started', 'accepted'],
  real_time_config: ['schema_changed', 'variables_changed'],
  handoff: ['accepted', 'taken_over', 'left', 'returned', 'transferred', 'rejected'],
  shared_reply: ['created', 'changed', 'deleted'],
  queue: ['hours_changed', 'hours_removed', 'assignment_changed', 'assignment_removed'],
  view: ['saved', 'deleted'],
  webhook_endpoint: ['created', 'changed', 'deleted', 'secret_rotated'],
  alert_rule: ['created', 'changed', 'deleted'],
  conversation: ['listened', 'removed'],
  conversations: ['purge_started', 'purge_ended'],
  visitor: ['exported', 'purge_started', 'purge_ended'],
  audit_log: ['purge_started', 'purge_ended'],
}

/** Returns all actions with their words, in the order of these: those of one thing stand together. */
export const actionNames = (): readonly (readonly [action: string, words: string])[] =>
  Object.entries(DONE)
    .flatMap(([what, done]) =>
      done.map(one => [`${what}.${one}`, `${say(what as Word)}: ${say(one)}`] as const),
    )
    .sort(([, one], [, other]) => one.localeCompare(other))
