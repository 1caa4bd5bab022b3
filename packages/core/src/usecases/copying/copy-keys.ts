import type { ConversationMark, CopiedKind, CopiedParts, CopyKey } from '../../store/copies.ts'
import type { Kind } from '../../store/documents.ts'
import { DOCUMENT_KINDS, type DocumentParts } from '../../store/kinds.ts'

function ofDocument<Name extends keyof DocumentParts>(name: Name) {
  const kind: Pick<Kind<DocumentParts[Name]>, 'id'> = DOCUMENT_KINDS[name] as Kind<DocumentParts[Name]>
  return (part: DocumentParts[Name]): CopyKey => [kind.id(part)]
}

/** The key of each kind of part. Kinds come in the order in which they are copied. */
const KEYS: { readonly [Kind in CopiedKind]: (part: CopiedParts[Kind]) => CopyKey } = {
  secret: ofDocument('secret'),
  token_key: ofDocument('token_key'),
  account: ofDocument('account'),
  api_key: ofDocument('api_key'),
  connector: ofDocument('connector'),
  agent: ofDocument('agent'),
  deleted_agent: ofDocument('deleted_agent'),
  branch: ofDocument('branch'),
  branch_change: ofDocument('branch_change'),
  revision: ofDocument('revision'),
  resource: ofDocument('resource'),
  deployment: ofDocument('deployment'),
  rollout: ofDocument('rollout'),
  real_time_config: ofDocument('real_time_config'),
  test_run: ofDocument('test_run'),
  replay_sample: ofDocument('replay_sample'),
  test_result: ofDocument('test_result'),
  phone_number: ofDocument('phone_number'),
  pooled_number: ofDocument('pooled_number'),
  voice: ofDocument('voice'),
  cached_audio: ofDocument('cached_audio'),
  cached_sound: ofDocument('cached_sound'),
  cached_bytes: ofDocument('cached_bytes'),
  audit_entry: ofDocument('audit_entry'),
  webhook_endpoint: ofDocument('webhook_endpoint'),
  webhook_event: ofDocument('webhook_event'),
  webhook_delivery: ofDocument('webhook_delivery'),
  alert_rule: ofDocument('alert_rule'),
  alert_turn: ofDocument('alert_turn'),
  counter: ofDocument('counter'),
  text_pair: ofDocument('text_pair'),
  outbound_call: ofDocument('outbound_call'),
  conversation_note: ofDocument('conversation_note'),
  handoff_summary: ofDocument('handoff_summary'),
  conversation_file: ofDocument('conversation_file'),
  call_recording: ofDocument('call_recording'),
  file_removal: ofDocument('file_removal'),
  shared_reply: ofDocument('shared_reply'),
  desk_outcome: ofDocument('desk_outcome'),
  desk_queue: ofDocument('desk_queue'),
  saved_view: ofDocument('saved_view'),
  queue_assignment: ofDocument('queue_assignment'),
}

const isKind = (name: string): name is CopiedKind => Object.hasOwn(KEYS, name)

/** Every kind of part, in the order in which they are copied. */
export const COPIED_KINDS: readonly CopiedKind[] = Object.keys(KEYS).filter(isKind)

/** Returns the key of a part. */
export const keyOf = <Kind extends CopiedKind>(kind: Kind, part: CopiedParts[Kind]): CopyKey =>
  KEYS[kind](part)

function compareCodePoints(one: string, other: string): number {
  const [mine, theirs] = [[...one], [...other]]
  for (const [index, character] of mine.entries()) {
    const order = (character.codePointAt(0) ?? 0) - (theirs[index]?.codePointAt(0) ?? -1)
    if (order !== 0) return order
  }
  return mine.length - theirs.length
}

/** Returns the order of two keys of a kind: below 0 when the first comes first. */
export function compareKeys(one: CopyKey, other: CopyKey): number {
  for (const [index, mine] of one.entries()) {
    const theirs = other[index]
    const order =
      typeof mine === 'number' && typeof theirs === 'number'
        ? mine - theirs
        : compareCodePoints(String(mine), String(theirs))
    if (order !== 0) return order
  }
  return 0
}

/** Compares marks by the ids of their conversations. */
export const compareMarks = (
  one: Pick<ConversationMark, 'id'>,
  other: Pick<ConversationMark, 'id'>,
): number => compareKeys([one.id], [other.id])
