import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import type { ConversationNote } from '../../domain/conversation/note.ts'
import type { AccountId, ConversationId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import type { NewNote } from '../../ports/store/notes.ts'
import type { Acting, Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { recordKey } from '../records/read-record.ts'
import { text } from '../shared/arguments.ts'
import { actorOf, type DeskActing, refuseImpostor } from './desk-acting.ts'
import { notFound } from './desk-handoff.ts'
import { liveAgentSchema, messageIdSchema } from './desk-input.ts'
import { type DeskNote, noteOf } from './desk-note.ts'
import { conversationOfHandoff } from './find-handoff.ts'
import { publishNote } from './follow-handoff.ts'

/** The schema of {@link NoteTarget}. */
export const noteTargetSchema = z
  .object({
    /** A handoff of the conversation, also one that is over. */
    handoffId: text.exactOptional(),
    /** The agent of `conversationId`. */
    agentId: text.exactOptional(),
    conversationId: text.exactOptional(),
  })
  .refine(
    ({ agentId, conversationId, handoffId }) =>
      (agentId === undefined) === (conversationId === undefined) &&
      (handoffId === undefined) !== (conversationId === undefined),
    'expected a handoff, or an agent and a conversation of that agent',
  )

/** The conversation that notes are about: by one of its handoffs, or by its agent and its id. */
export type NoteTarget = InputOf<typeof noteTargetSchema>

/**
 * The schema of {@link NewDeskNote}.
 *
 * @param length characters of the text
 */
export const noteSchema = (length: number) =>
  z
    .object({
      text: z.string().trim().max(length),
      /** The writer. Of a person it is that person (DK40). */
      author: liveAgentSchema.pick({ id: true, name: true }),
      /** The writer's own id of the note: sent again, it is written once. @default a new one */
      noteId: messageIdSchema.exactOptional(),
      /** The number of the writer's note `noteId`, which gets this text. An empty text takes the note back (DK649). */
      changes: z.int().min(1).exactOptional(),
    })
    .refine(({ changes, text: words }) => changes !== undefined || words !== '', {
      path: ['text'],
      message: 'must not be empty',
    })
    .refine(({ changes, noteId }) => changes === undefined || noteId !== undefined, {
      path: ['noteId'],
      message: 'is required beside changes',
    })

/** A note to write. */
export type NewDeskNote = InputOf<ReturnType<typeof noteSchema>>

type Deps = Pick<Context, 'store' | 'settings'> & { readonly engine: Pick<Engine, 'load'> }
type Target = z.output<typeof noteTargetSchema>

/** Returns the key of a conversation. Only the store says whether the account has one of an agent and an id. */
async function keyOf(
  deps: Deps,
  accountId: AccountId,
  { agentId = '', conversationId, handoffId = '' }: Target,
): Promise<ConversationId> {
  if (conversationId !== undefined) return recordKey(deps, accountId, agentId, conversationId)
  return (await conversationOfHandoff(deps, { accountId, handoffId })).id
}

/** Reads the notes of a conversation of that account, in their order. */
export async function notesOf(
  { settings, store }: Pick<Context, 'store' | 'settings'>,
  accountId: AccountId,
  conversationId: ConversationId,
  after = 0,
): Promise<readonly DeskNote[]> {
  const most = settings.limits.notesPerConversation
  const notes = await store.conversations.notes.list(conversationId, after, most)
  return notes.filter(note => note.accountId === accountId).map(noteOf)
}

/** See `Desk.notes`. */
export async function readNotes(
  deps: Deps,
  accountId: AccountId,
  target: Target,
  after: number,
): Promise<readonly DeskNote[]> {
  return notesOf(deps, accountId, await keyOf(deps, accountId, target), after)
}

const conflict = (message: string): PlatformError => new PlatformError('NOTE_CONFLICT', message)

function missing({ conversationId, handoffId = '' }: Target): PlatformError {
  return conversationId === undefined
    ? notFound(handoffId)
    : new PlatformError('CONVERSATIONS_NOT_FOUND', `The agent has no conversation ${conversationId}.`)
}

/** Changes a note of the same author (DK649). */
async function changeNote(
  { store }: Pick<Deps, 'store'>,
  note: NewNote,
  number: number,
): Promise<ConversationNote> {
  const changed = await store.conversations.notes.change(note, number)
  switch (changed.status) {
    case 'changed':
      return changed.note
    case 'missing':
      throw conflict(`The conversation has no note "${note.id}". Write a new one, without changes.`)
    case 'stale':
      throw conflict(
        `The note "${note.id}" has changed since: it is not number ${number} now. Read it again.`,
      )
    case 'foreign':
      throw new PlatformError(
        'USER_ACCESS_FORBIDDEN',
        `The note "${note.id}" was written by somebody else. Only its writer may change it.`,
      )
  }
}

/** See `Desk.writeNote`. */
export async function writeNote(
  deps: Acting & Deps,
  accountId: AccountId,
  target: Target,
  ...[given, acting]: readonly [z.output<ReturnType<typeof noteSchema>>, DeskActing]
): Promise<DeskNote> {
  const { author, changes, noteId, text: words } = given
  const { caller, clock, ids, rooms, settings, store } = deps
  refuseImpostor(caller, actorOf(caller, acting), author)
  const conversationId = await keyOf(deps, accountId, target)
  const most = settings.limits.notesPerConversation
  const id = noteId ?? ids.uuid()
  const note = { id, conversationId, accountId, author, text: words, at: clock.now() }
  if (changes !== undefined) {
    const changed = await changeNote(deps, note, changes)
    publishNote(rooms, conversationId)
    return noteOf(changed)
  }
  const added = await store.conversations.notes.add(note, most)
  if (added.status === 'missing') throw missing(target)
  if (added.status === 'full')
    throw conflict(
      `The conversation has ${most} notes. Allowed: at most ${most} (limits.notesPerConversation).`,
    )
  if (added.status === 'duplicate' && added.note.text !== words)
    throw conflict(`The noteId "${id}" stands for another note. Send it with a new id.`)
  if (added.status === 'added') publishNote(rooms, conversationId)
  return noteOf(added.note)
}
