import { createMemoryDocuments } from '@colloquy/core/memory'
import {
  type Batch,
  createSequence,
  type Documents,
  type Outbox,
  outboxDocuments,
  type Store,
  storeOver,
  WEBHOOK_ENDPOINT,
} from '@colloquy/core/store'
import { openJournal } from './journal.ts'

const nextSequence = createSequence(() => performance.timeOrigin + performance.now())

/** Returns the documents that a batch adds for its outbox. The webhook endpoints decide which events are kept. */
async function keptWith(outbox: Outbox, { scan }: Documents) {
  const accounts = new Set((outbox.webhooks ?? []).map(({ accountId }) => accountId))
  const enabled = await Promise.all(
    [...accounts].map(async id => [id, await scan(WEBHOOK_ENDPOINT, 'enabled', { prefix: [id] })] as const),
  )
  const endpoints = new Map(enabled)
  return outboxDocuments(outbox, { nextSequence, enabledOf: id => endpoints.get(id) ?? [] })
}

/** Documents in one file of JSON, a line for each write, and what closes it. */
export async function openJsonFile(filename: string) {
  const memory = createMemoryDocuments()
  const journal = await openJournal(filename)
  for (const batch of journal.batches) await memory.write(batch)
  let last: Promise<unknown> = Promise.resolve()

  /** Begins when all that was given before has ended. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }

  const documents: Documents = {
    async write({ when, clear, put = [], remove, outbox }) {
      const conditions = when.map(condition => ({ ...condition }))
      const values = put.map(({ kind, value }) => ({ kind, value: structuredClone(value) }))
      const tells = structuredClone(outbox)
      const { kept, refused } = await inTurn(async () => {
        const told = tells === undefined ? [] : await keptWith(tells, memory)
        const batch: Batch = {
          when: conditions,
          put: [...values, ...told],
          ...(clear && { clear }),
          ...(remove && { remove }),
        }
        const refused = await memory.write(batch)
        // A batch that arrives during a write to the disk is written with it or with the next one.
        return { kept: refused === null ? journal.append(batch) : journal.settled(), refused }
      })
      await kept
      return refused
    },
    async get(kind, ids) {
      await journal.settled()
      return memory.get(kind, ids)
    },
    async scan(kind, index, range) {
      await journal.settled()
      return memory.scan(kind, index, range)
    },
    refill: memory.refill,
  }
  return { documents, close: journal.close }
}

/**
 * A store that keeps everything in one file of JSON. One process at a time may have the file open. All of it is in
 * memory too, and opening reads the whole file: for tools and small installations.
 */
export async function createJsonFileStore(filename: string): Promise<Store> {
  const { documents, close } = await openJsonFile(filename)
  return storeOver(documents, { nextSequence, random: Math.random }, close)
}
