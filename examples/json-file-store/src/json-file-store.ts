import { createMemoryStore } from '@colloquy/adapter-memory'
import type { Store } from '@colloquy/core/store'
import { type Journal, openJournal } from './journal.ts'

/** The methods that change nothing. All others are written down. */
const READS = new Set(
  [
    'find findByHash findByTokenHash findTelephony findDeleted findRecord list listTelephony listOpen load version eventPage clientEvent turns turnPage',
    'changes head resourcesAt changesBetween active results variables findShared joinedWaits newest sample stamps scopes next nextDue nextLine dueEndpoints sum',
  ].flatMap(names => names.split(' ')),
)

type Method = (...args: readonly unknown[]) => Promise<unknown>

/** The method of that name, `conversations.records.list`, of a store. */
function methodOf(store: object, name: string): Method {
  const path = name.split('.')
  const method = path.pop() ?? ''
  const group = path.reduce<unknown>((part, key) => Reflect.get(Object(part), key), store)
  const found: unknown = Reflect.get(Object(group), method)
  if (typeof found !== 'function')
    throw new Error(`The file knows a method that is not one of the store: ${name}.`)
  return async (...args) => Reflect.apply(found, group, args)
}

/** How a store is written to. */
interface Writing {
  readonly journal: Journal
  readonly isClosed: () => boolean
  /** Begins when all that was given before has ended. */
  inTurn(work: () => Promise<unknown>): Promise<unknown>
}

const ignore = (): void => undefined

/**
 * A part of a store whose writes are in the journal before they resolve. They are carried out in the order of the journal,
 * and a read sees nothing that is not on the disk.
 */
function written<Part extends object>(part: Part, name: string, writing: Writing): Part {
  const { inTurn, isClosed, journal } = writing
  return new Proxy(part, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key)
      if (typeof member === 'object' && member !== null)
        return written(member, `${name}.${String(key)}`, writing)
      if (typeof member !== 'function') return member
      return async (...args: unknown[]): Promise<unknown> => {
        if (isClosed()) throw new Error('The store is closed.')
        if (READS.has(String(key))) {
          const asked = structuredClone(args)
          await journal.settled()
          return Reflect.apply(member, target, asked)
        }
        const kept = journal.append({ method: `${name}.${String(key)}`, args })
        // In the order of the lines, one after the other: so they are carried out again when the file is opened.
        const given = structuredClone(args)
        const result = inTurn(() => Reflect.apply(member, target, given))
        await Promise.allSettled([kept, result])
        await kept
        return await result
      }
    },
  })
}

/**
 * A store that keeps everything in one file of JSON, a line for each write. One process at a time may have the file open. All of it is in
 * memory too, and opening reads the whole file: for tools and small installations.
 */
export async function createJsonFileStore(filename: string): Promise<Store> {
  const memory = createMemoryStore()
  const journal = await openJournal(filename)
  // What rejected when it was called rejects again, and has changed nothing either time.
  for (const { method, args } of journal.calls) await methodOf(memory, method)(...args).catch(ignore)
  let closed = false
  let last: Promise<unknown> = Promise.resolve()
  const writing: Writing = {
    journal,
    isClosed: () => closed,
    inTurn(work) {
      const result = last.then(work)
      last = result.catch(ignore)
      return result
    },
  }
  const part = <Part extends object>(name: string, of: Part): Part => written(of, name, writing)
  return {
    agents: part('agents', memory.agents),
    conversations: part('conversations', memory.conversations),
    access: part('access', memory.access),
    webhooks: part('webhooks', memory.webhooks),
    alerts: part('alerts', memory.alerts),
    audit: part('audit', memory.audit),
    async close() {
      if (closed) return
      closed = true
      await journal.close()
    },
  }
}
