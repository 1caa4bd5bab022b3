import { type ConversationState, type Handoff, isGenuine, type TurnInput } from './state.ts'

/** `Whole` as it may be stored: by a version that did not know some of its fields yet. */
type Lacking<Whole, Fields extends keyof Whole> = Omit<Whole, Fields> & Partial<Pick<Whole, Fields>>

/** A handoff as any version has stored it. */
type StoredHandoff = Lacking<Handoff, 'attendedUntil'>

/**
 * A conversation's state as any version has stored it. Fields that were added or renamed since the
 * first one may be missing.
 */
export type StoredState = Omit<
  Lacking<
    ConversationState,
    | 'lastAt'
    | 'setAttributes'
    | 'testCaseId'
    | 'idleWarning'
    | 'idleWarned'
    | 'bytes'
    | 'listed'
    | 'agentAvatarUrl'
    | 'pending'
  >,
  'handoff'
> & {
  readonly handoff: StoredHandoff | null
  /** The name of `pending` in earlier versions. */
  readonly queue?: readonly TurnInput[]
}

/**
 * Brings a stored state to the shape of this version: the one place in which fields that were added later get the value
 * that they have where nothing is known, and renamed ones their present name (EN42). A state of this version comes out
 * equal.
 */
export function currentState({ queue = [], ...stored }: StoredState): ConversationState {
  return {
    lastAt: stored.endedAt ?? stored.startedAt,
    setAttributes: {},
    testCaseId: null,
    idleWarning: null,
    idleWarned: false,
    listed: isGenuine(stored.kind),
    bytes: 0,
    agentAvatarUrl: '',
    pending: queue,
    ...stored,
    handoff: stored.handoff && { attendedUntil: null, ...stored.handoff },
  }
}
