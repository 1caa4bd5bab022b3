import { createMemoryStore } from '@colloquy/adapter-memory'
import type { Store } from '@colloquy/core/store'
import { type Journal, openJournal } from './journal.ts'

/** The methods that change nothing. All others are written down. */
const READS = new Set(
  [
    'find findByHash findByTokenHash findTelephony findDeleted findRecord list listTelephony listOpen load version eventPage clientEvent turns turnPage',
    'changes head resourcesAt changesBetween active results variables findShared joinedWaits newest sample stamps scopes next dueEndpoints sum',
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

/**
 * A part of a store whose writes are in the journal before they resolve. They are carried out in the order of the journal,
 * and a read sees nothing that is not on the disk.
 */
function written<Part extends object>(
  part: Part,
  name: string,
  journal: Journal,
  isClosed: () => boolean,
): Part {
  return new Proxy(part, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key)
      if (typeof member === 'object' && member !== null)
        return written(member, `${name}.${String(key)}`, journal, isClosed)
      if (typeof member !== 'function') return member
      return async (...args: unknown[]): Promise<unknown> => {
        if (isClosed()) throw new Error('The store is closed.')
        if (READS.has(String(key))) {
          const asked = structuredClone(args)
          await journal.settled()
          return Reflect.apply(member, target, asked)
        }
        // The line is made, and the change carried out, before anything else can happen: this is what "at one instant" asks for.
        const kept = journal.append({ method: `${name}.${String(key)}`, args })
        const result: unknown = Reflect.apply(member, target, args)
        await kept
        return result
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
  for (const { method, args } of journal.calls) await methodOf(memory, method)(...args)
  let closed = false
  const part = <Part extends object>(name: string, of: Part): Part => written(of, name, journal, () => closed)
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
