import { createHash } from 'node:crypto'
import { createPostgresStore } from '@colloquy/adapter-postgres'
import type { Files } from '@colloquy/core'
import type { CopyableStore } from '@colloquy/core/store'
import { ACCOUNT, aConversation, aFile, anAccount, anEvent, START } from '@colloquy/core/testing'
import { createFolderFiles } from '@colloquy/integrations/files'
import { postgresDatabase } from '@colloquy/test-support/postgres-database'
import { expect } from 'vitest'
import { PIECE_BYTES } from '../src/export/lines.ts'
import { aStore, temporaryFile } from './support.ts'

/** Files of a conversation by their ids: short, of one piece exactly, and longer. */
export const SIZES = { 'f-short': 3, 'f-even': PIECE_BYTES, 'f-long': 2 * PIECE_BYTES + 5, 'f-gone': 7 }

const contentOf = (id: string, size: number): Buffer =>
  Buffer.from(Array.from({ length: size }, (_, at) => (at * 7 + id.length + (at >> 9)) % 256))

const SENT = Object.entries(SIZES).map(([id, size]) => ({
  ...{ file_id: id, name: `${id}.png`, content_type: 'image/png', size },
}))

/** Bytes behind the port: those of files, and of the parts of a recording. */
export const BYTES: ReadonlyMap<string, Buffer> = new Map([
  ...Object.entries(SIZES)
    .filter(([id]) => id !== 'f-gone')
    .map(([id, size]) => [id, contentOf(id, size)] as const),
  ...['f-r-r1', 'f-r-r2'].map((id, at) => [id, contentOf(id, 40 - 8 * at)] as const),
])

async function fill({ access, conversations }: CopyableStore): Promise<void> {
  const { files, recordings } = conversations
  await access.accounts.create(anAccount(ACCOUNT))
  const of = { conversationId: 'AS-1' } as const
  await conversations.create(
    aConversation('AS-1', {
      ...{ index: { finishedAt: START + 1 } },
      state: { visitor: { id: 'vera' }, endedAt: START + 1 },
      events: [anEvent({ payload: { message_id: 'm', text: 'Look', files: SENT } })],
    }),
  )
  for (const [id, size] of Object.entries(SIZES)) {
    await files.expect(id, START)
    await files.add(aFile(id, { ...of, size }), { files: 99, bytes: 10_000_000 })
    await files.name('AS-1', 'visitor', [id])
  }
  const recording = { id: 'f-r', ...of, accountId: ACCOUNT, call: 'call', at: START }
  const consent = { by: 'visitor', how: 'button', at: START } as const
  const none = { parts: 0, partBytes: 0, bytes: 0, end: null, endedAt: null }
  expect(await recordings.begin({ ...recording, consent, ...none }, 9)).toBe('begun')
  for (const [at, part] of ['f-r-r1', 'f-r-r2'].entries()) {
    await files.expect(part, START)
    expect(await recordings.keep('f-r', at + 1, 40 - 8 * at)).toBe(true)
  }
}

const { signal } = new AbortController()

export async function putAll(files: Files): Promise<void> {
  for (const [id, content] of BYTES) await files.put({ id, type: 'image/png', content, signal })
}

export async function read(files: Files, id: string): Promise<Buffer | null> {
  const chunks = await files.get({ id, signal })
  if (chunks === null) return null
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

export const hashOf = (content: Uint8Array = new Uint8Array()): string =>
  createHash('sha256').update(content).digest('hex')

/** A folder that goes with the test. */
export const aFolder = (): string => `${temporaryFile()}-files`

/** Stores of one kind, by the addresses that the command takes. */
export interface Stores {
  /** Makes a store of a conversation with files. */
  filled(): Promise<string>
  /** Returns the address of a store that is not there yet. */
  fresh(): Promise<string>
}

export const IN_FILES: Stores = { filled: () => aStore(fill), fresh: async () => temporaryFile() }

export const inPostgres = (server: string): Stores => ({
  fresh: () => postgresDatabase(server),
  async filled() {
    const url = await postgresDatabase(server)
    const store = await createPostgresStore({ url, maxConnections: 2 })
    await fill(store)
    await store.close()
    return url
  },
})

/** A store of a conversation with files, and the folder of their bytes. */
export async function filled(stores = IN_FILES) {
  const folder = aFolder()
  await putAll(createFolderFiles({ folder }))
  return { from: await stores.filled(), folder }
}
