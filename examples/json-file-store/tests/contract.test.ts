import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Documents, Store } from '@colloquy/core/store'
import { aConversation, anAccount } from '@colloquy/core/testing'
import { testDocuments } from '@colloquy/core/testing/contracts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createJsonFileStore, openJsonFile } from '../src/index.ts'

// Slow: each write of the contract is an fsync of a file.

let folder = ''
let files = 0
const filenames = new WeakMap<Store, string>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'json-file-store-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function open(filename = join(folder, `${files++}.jsonl`)): Promise<Store> {
  const store = await createJsonFileStore(filename)
  filenames.set(store, filename)
  return store
}

interface Opened {
  readonly filename: string
  close(): Promise<void>
}
const opened = new WeakMap<Documents, Opened>()

async function openDocuments(filename = join(folder, `${files++}.jsonl`)): Promise<Documents> {
  const { documents, close } = await openJsonFile(filename)
  opened.set(documents, { filename, close })
  return documents
}
const close = async (documents: Documents) => opened.get(documents)?.close()

testDocuments(
  'json file',
  {
    open: () => openDocuments(),
    async reopen(documents) {
      await close(documents)
      return openDocuments(opened.get(documents)?.filename)
    },
    close,
  },
  10,
)

it('JF1 a line that was cut off at the end goes, and the next write follows the whole ones', async () => {
  const store = await open()
  const filename = filenames.get(store) ?? ''
  await store.access.accounts.create(anAccount())
  await store.close()
  const whole = await readFile(filename, 'utf8')
  await appendFile(filename, '{"clear":[],"put":[{"kind":"acc')

  const again = await open(filename)
  expect(await again.access.accounts.list({}, 10)).toEqual([anAccount()])
  await again.conversations.create(aConversation('AS-1'))
  await again.close()
  const lines = await readFile(filename, 'utf8')
  expect(lines.startsWith(whole)).toBe(true)
  expect(lines.slice(whole.length)).toMatch(/^(\{"clear":\[\],"put":\[\{[^\n]*\}\n)+$/)
  expect(lines.slice(whole.length)).toContain('"kind":"conversation"')
})

it('JF2 a line that is not a batch is refused when the file is opened', async () => {
  const filename = join(folder, 'other.jsonl')
  await appendFile(filename, '{"some":"other file"}\n')
  await expect(createJsonFileStore(filename)).rejects.toThrow('The file is not one of this store.')
})

it('JF2 a file with documents of another kind is refused when it is opened', async () => {
  const filename = join(folder, 'later.jsonl')
  await appendFile(filename, '{"clear":[],"put":[{"kind":"dream","value":{}}],"remove":[]}\n')
  await expect(createJsonFileStore(filename)).rejects.toThrow('a kind that is not known: dream.')
})
