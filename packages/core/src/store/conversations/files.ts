import type { ConversationFile, FileSender } from '../../domain/file/file.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { FileBounds, FileStore } from '../../ports/store/files.ts'
import type { Batch, Condition } from '../documents.ts'
import { absent, changed, type Guarded, plainOrNull, unchanged, versioned } from '../guarded.ts'
import { CONVERSATION_FILE, FILE_REMOVAL, type FileRemoval } from '../kinds.ts'
import { CONVERSATION } from './kinds.ts'

/** Bytes without a file, or whose file is being removed: due at once. */
const AT_ONCE = 0

/** Returns the parts of a batch that remove a conversation's files, and make their bytes due. */
export async function filesGone(
  { scan }: Pick<Guarded, 'scan'>,
  conversationId: ConversationId,
): Promise<{ readonly when: readonly Condition[]; readonly put: NonNullable<Batch['put']> }> {
  const prefix = [conversationId]
  const files = await scan(CONVERSATION_FILE, 'conversation', { prefix })
  return {
    when: [
      // One that is added meanwhile would leave its bytes, also in the place of one that goes.
      { kind: CONVERSATION_FILE, index: 'conversation', prefix, atMost: files.length },
      ...files.map(file => unchanged(CONVERSATION_FILE, file)),
    ],
    put: files.map(({ id }) => ({ kind: FILE_REMOVAL, value: versioned({ id, due: AT_ONCE }) })),
  }
}

/** Files that a message of a conversation names. */
interface NamedFiles {
  readonly conversationId: ConversationId
  readonly from: FileSender
  readonly ids: readonly string[]
}

/** See `FileStore.add`. */
const addFile = (
  { decided, one, scan }: Guarded,
  file: ConversationFile,
  most: FileBounds,
): Promise<'added' | 'missing' | 'full'> =>
  decided(async () => {
    const { accountId, conversationId } = file
    const [held, removal] = await Promise.all([one(CONVERSATION, conversationId), one(FILE_REMOVAL, file.id)])
    if (held?.index.accountId !== accountId || removal === null) return { result: 'missing' }
    const prefix = [conversationId]
    const files = await scan(CONVERSATION_FILE, 'conversation', { prefix })
    const bytes = files.reduce((sum, { size }) => sum + size, file.size)
    if (files.length >= most.files || bytes > most.bytes) return { result: 'full' }
    return {
      when: [
        absent(CONVERSATION_FILE, file.id),
        { kind: CONVERSATION_FILE, index: 'conversation', prefix, atMost: files.length },
        // A file must not outlive a conversation that is being removed.
        unchanged(CONVERSATION, held),
        unchanged(FILE_REMOVAL, removal),
      ],
      put: [{ kind: CONVERSATION_FILE, value: versioned(file) }],
      result: 'added',
    }
  })

/** See `FileStore.name`. */
const nameFiles = (
  { decided, get }: Guarded,
  { conversationId, from, ids }: NamedFiles,
): Promise<readonly ConversationFile[] | null> =>
  decided<readonly ConversationFile[] | null>(async () => {
    const [files, removals] = await Promise.all([get(CONVERSATION_FILE, ids), get(FILE_REMOVAL, ids)])
    const own = files.flatMap(file =>
      file?.conversationId === conversationId && file.from === from ? [file] : [],
    )
    if (own.length < ids.length) return { result: null }
    const loose = removals.flatMap(removal => removal ?? [])
    const result = own.flatMap(file => plainOrNull<ConversationFile>(file) ?? [])
    if (loose.length === 0) return { result }
    return {
      when: [
        ...own.map(file => unchanged(CONVERSATION_FILE, file)),
        ...loose.map(removal => unchanged(FILE_REMOVAL, removal)),
      ],
      remove: loose.map(({ id }) => ({ kind: FILE_REMOVAL, id })),
      result,
    }
  })

/** Files of conversations. */
export function filesOver(over: Guarded): FileStore {
  const { decided, first, one, scan, write } = over

  /** Removes the file of bytes that are due. False if a message has named it meanwhile. */
  const isTaken = (id: string): Promise<boolean> =>
    decided<boolean>(async () => {
      const [file, removal] = await Promise.all([one(CONVERSATION_FILE, id), one(FILE_REMOVAL, id)])
      if (removal === null) return { result: false }
      if (file === null) return { result: true }
      return {
        when: [unchanged(FILE_REMOVAL, removal), unchanged(CONVERSATION_FILE, file)],
        put: [{ kind: FILE_REMOVAL, value: changed<FileRemoval>(removal, { due: AT_ONCE }) }],
        remove: [{ kind: CONVERSATION_FILE, id }],
        result: true,
      }
    })

  return {
    async expect(id, due) {
      await write({
        when: [absent(FILE_REMOVAL, id)],
        put: [{ kind: FILE_REMOVAL, value: versioned({ id, due }) }],
      })
    },
    add: (file, most) => addFile(over, file, most),
    find: async id => plainOrNull<ConversationFile>(await one(CONVERSATION_FILE, id)),
    name: (conversationId, from, ids) => nameFiles(over, { conversationId, from, ids }),
    async takeDue(now, limit) {
      const due = await scan(FILE_REMOVAL, 'due', { prefix: [], through: now, limit })
      const taken = await Promise.all(due.map(({ id }) => isTaken(id)))
      return due.flatMap(({ id }, at) => (taken[at] === true ? [id] : []))
    },
    async forget(ids) {
      if (ids.length === 0) return
      await write({ when: [], remove: ids.map(id => ({ kind: FILE_REMOVAL, id })) })
      await over.erased?.()
    },
    nextDue: async () => (await first(FILE_REMOVAL, 'due', []))?.due ?? null,
  }
}
