import { type ConversationState, type Handoff, isGenuine, type TurnInput } from './state.ts'

/** `Whole` as it may be stored: by a version that did not know some of its fields yet. */
type Lacking<Whole, Fields extends keyof Whole> = Omit<Whole, Fields> & Partial<Pick<Whole, Fields>>

/** A handoff as any version has stored it. */
type StoredHandoff = Lacking<Handoff, 'attendedUntil' | 'acceptedBy'>

/** Fields that came after the first version. */
type AddedField =
  | 'lastAt'
  | 'setAttributes'
  | 'testCaseId'
  | 'idleWarning'
  | 'idleWarned'
  | 'bytes'
  | 'listed'
  | 'agentAvatarUrl'
  | 'pending'
  | 'visitor'
  | 'verifiedContext'
  | 'chat'
  | 'text'
  | 'handedOff'

/**
 * A conversation's state as any version has stored it. Fields that were added or renamed since the
 * first one may be missing.
 */
export type StoredState = Omit<Lacking<ConversationState, AddedField>, 'handoff'> & {
  readonly handoff: StoredHandoff | null
  /** The name of `pending` in earlier versions. */
  readonly queue?: readonly TurnInput[]
}

/**
 * Brings a stored state to the shape of this version: the one place in which fields that were added later get the value
 * that they have where nothing is known, and renamed ones their present name (EN42). A state of this version comes out
 * equal.
 */
export function currentState(stored: StoredState): ConversationState {
  // Most are, and to copy a state costs more than to read one.
  if (isCurrent(stored)) return stored
  const { queue = [], ...fields } = stored
  return {
    lastAt: fields.endedAt ?? fields.startedAt,
    setAttributes: {},
    testCaseId: null,
    idleWarning: null,
    idleWarned: false,
    listed: isGenuine(fields.kind),
    bytes: 0,
    agentAvatarUrl: '',
    pending: queue,
    visitor: null,
    verifiedContext: null,
    chat: null,
    text: null,
    handedOff: null,
    ...fields,
    handoff: fields.handoff && { attendedUntil: null, acceptedBy: null, ...fields.handoff },
  }
}

const ADDED = [
  'lastAt',
  'setAttributes',
  'testCaseId',
  'idleWarning',
  'idleWarned',
  'listed',
  'bytes',
  'agentAvatarUrl',
  'pending',
  'visitor',
  'verifiedContext',
  'chat',
  'text',
  'handedOff',
] as const satisfies readonly AddedField[]

const isCurrent = (stored: StoredState): stored is ConversationState =>
  stored.queue === undefined &&
  ADDED.every(name => stored[name] !== undefined) &&
  (stored.handoff === null ||
    (stored.handoff.attendedUntil !== undefined && stored.handoff.acceptedBy !== undefined))
