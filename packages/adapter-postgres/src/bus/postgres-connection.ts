import { Socket } from 'node:net'
import { asError, type Connect, type Parcel } from '@colloquy/core/broker'
import pg from 'pg'
import { createPayloadReader, writePayloads } from './payloads.ts'

/** Options of the bus's connections: those of `new Client` of `pg`. */
export type PostgresConnectionOptions = Omit<pg.ClientConfig, 'stream'>

/** Settings of a bus's use of its connections. */
export interface NotifyOptions {
  /** The channel of LISTEN and NOTIFY, once it has a name. */
  readonly channel: Promise<string>
  /** Between two statements that notify, milliseconds. */
  readonly batchInterval: number
  /** Bytes of UTF-8 of a notice. */
  readonly maxNotice: number
}

/** Name of the bus in `pg_stat_activity`. */
const APPLICATION_NAME = 'colloquy bus'

/** Characters of notices in one statement, roughly: while its transaction ends no other one can notify. */
const STATEMENT_LENGTH = 1_000_000

/** Nothing of a notice outlives a crash, so that its commit waits for no disk, in this transaction alone. */
const NOTIFY = `with at_once as materialized (select set_config('synchronous_commit', 'off', true))
select pg_notify($1, payload) from at_once, unnest($2::text[]) as payload`

const POOLED =
  'A pooler gives the statements of this connection to several connections of the server, so that nothing could be heard: the bus needs an address of the server itself, or of a pooler in session mode.'

const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Several addresses of a host give one error without a message. */
function spoken(error: unknown): Error {
  if (error instanceof AggregateError && error.message === '') return spoken(error.errors[0])
  return asError(error)
}

/** Returns the session of the server that carries statements out; a pooler may give another one each time. */
async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ readonly pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

/** Another encoding lacks characters that a notice may hold. */
async function refuseEncoding(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ readonly server_encoding: string }>('show server_encoding')
  const encoding = rows[0]?.server_encoding
  if (encoding !== 'UTF8') throw new Error(`The database has the encoding ${encoding}. It must be UTF8.`)
}

/** Parcels to send in one statement, and the promise that their senders wait for. */
interface Batch {
  readonly parcels: Parcel[]
  readonly taken: Promise<void>
  readonly settle: (error?: Error) => void
}

function createBatch(): Batch {
  let settle: Batch['settle'] = () => {}
  const taken = new Promise<void>((resolve, reject) => {
    settle = error => (error === undefined ? resolve() : reject(error))
  })
  return { parcels: [], taken, settle }
}

/** Parts of a batch, each for a statement of its own. */
function* statementsOf(parcels: readonly Parcel[]): Generator<readonly Parcel[]> {
  let part: Parcel[] = []
  let length = 0
  for (const parcel of parcels) {
    part.push(parcel)
    length += parcel[0].length + parcel[1].length
    if (length < STATEMENT_LENGTH) continue
    yield part
    part = []
    length = 0
  }
  if (part.length > 0) yield part
}

/**
 * Sends notices of an interval with one statement; the first after a pause at once. One statement at a time.
 *
 * @param failed called with the first failure; the batch is lost
 */
function createNotifier(
  send: (parcels: readonly Parcel[]) => Promise<unknown>,
  batchInterval: number,
  failed: (error: Error) => void,
) {
  let next: Batch | null = null
  let timer: NodeJS.Timeout | undefined
  let sending = false
  let sentAt = Number.NEGATIVE_INFINITY

  async function flush(): Promise<void> {
    timer = undefined
    const batch = next
    if (batch === null) return
    next = null
    sending = true
    sentAt = performance.now()
    try {
      for (const part of statementsOf(batch.parcels)) await send(part)
      batch.settle()
    } catch (error) {
      batch.settle(asError(error))
      failed(asError(error))
    } finally {
      sending = false
      flushSoon()
    }
  }

  function flushSoon(): void {
    if (sending || timer !== undefined || next === null) return
    timer = setTimeout(flush, Math.max(0, sentAt + batchInterval - performance.now()))
  }

  return {
    add(parcels: readonly Parcel[]): Promise<void> {
      next ??= createBatch()
      for (const parcel of parcels) next.parcels.push(parcel)
      flushSoon()
      return next.taken
    },
    stop(reason: Error): void {
      clearTimeout(timer)
      next?.settle(reason)
      next = null
    },
  }
}

/**
 * Connections that LISTEN on one channel for the notices of all topics, and NOTIFY it. Every bus gets all notices, and
 * filters them by its own subscriptions. A statement that the server refuses ends the connection, so that its notices
 * become gaps as those of an outage do. Long, because all share one connection.
 */
export const connectPostgres =
  (options: PostgresConnectionOptions, { channel, batchInterval, maxNotice }: NotifyOptions): Connect =>
  ({ message, foreign, ended }) => {
    // A connection that is dead never says goodbye: its socket is ended here.
    const socket = new Socket()
    const config = { application_name: APPLICATION_NAME, keepAlive: true, ...options }
    const client = new pg.Client({ ...config, stream: () => socket })
    const listenedTo = new Set<string>()
    const read = createPayloadReader({
      message: (topic, text) => {
        if (listenedTo.has(topic)) message(topic, text)
      },
      foreign,
    })
    let batches = 0
    let session = 0
    let listening: Promise<unknown> | null = null

    const end = (error: unknown): void => ended(spoken(error))
    client.on('error', end)
    client.on('end', () => end(new Error('The server ended the connection.')))
    client.on('notification', ({ processId, payload = '' }) => {
      if (processId === session) return
      try {
        read(processId, payload)
      } catch (error) {
        end(error)
      }
    })

    const notifier = createNotifier(
      async parcels =>
        client.query({ text: NOTIFY, values: [await channel, writePayloads(parcels, batches++)] }),
      batchInterval,
      end,
    )

    /** Behind a pooler: whether another client gets this one's session of the server. */
    async function refuseShared(): Promise<void> {
      const other = new pg.Client(config)
      other.on('error', () => undefined)
      try {
        await other.connect()
        const shared = (await sessionOf(other)) === session || (await sessionOf(client)) !== session
        if (shared) throw new Error(POOLED)
      } finally {
        await other.end()
      }
    }

    return {
      longestText: maxNotice,
      async open() {
        try {
          await client.connect()
          await refuseEncoding(client)
          session = await sessionOf(client)
          // Before any LISTEN, which would stay with a session that others get.
          if (session !== Reflect.get(client, 'processID')) await refuseShared()
        } catch (error) {
          throw spoken(error)
        }
      },
      publish: parcels => notifier.add(parcels),
      async subscribe(channels) {
        for (const each of channels) listenedTo.add(each)
        listening ??= channel.then(name => client.query(`listen ${quotedName(name)}`))
        await listening
      },
      async unsubscribe(channels) {
        for (const each of channels) listenedTo.delete(each)
      },
      async ping() {
        if ((await sessionOf(client)) !== session) throw new Error(POOLED)
      },
      destroy() {
        notifier.stop(new Error('The connection has ended.'))
        socket.destroy()
      },
    }
  }
