/**
 * The least that can serve the protocol: `memory` keeps all events in arrays, `log` in SQLite, synchronous=FULL, in a
 * table without an index whose rows name their conversation's row before. Both keep, and then send, all that one turn
 * of the event loop brings: with one transaction, and with one write a socket.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import BetterSqlite3 from 'better-sqlite3'
import { type WebSocket, WebSocketServer } from 'ws'
import * as z from 'zod'
import { withFolder } from '../with-folder.ts'
import { serve } from './serve.ts'

const CONNECTOR = { token: 'connector-token-for-benches', host: 'localhost' }
const KEY = 'only for benches'

/** A socket, and the connection below it, whose writes are held and sent together. */
interface Line {
  readonly socket: WebSocket
  readonly below: Duplex
}

class Conversation {
  readonly lines: Line[] = []
  sequence = 0
  /** The newest row, in a log. */
  row = 0
  /** All events, in memory. */
  readonly events: string[] = []
  joined = false
}

interface Keeper {
  keep(entries: readonly (readonly [Conversation, string])[]): void
  history(conversation: Conversation): readonly string[]
}

const inMemory: Keeper = {
  keep(entries) {
    for (const [{ events }, event] of entries) events.push(event)
  },
  history: ({ events }) => events,
}

function inLog(filename: string): Keeper {
  const database = new BetterSqlite3(filename)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(
    'CREATE TABLE log (row INTEGER PRIMARY KEY, before INTEGER NOT NULL, event TEXT NOT NULL) STRICT',
  )
  const insert = database.prepare('INSERT INTO log VALUES (?, ?, ?)')
  const select = database
    .prepare<[number], [number, string]>('SELECT before, event FROM log WHERE row = ?')
    .raw()
  let rows = 0
  const keep = database.transaction<Keeper['keep']>(entries => {
    for (const [conversation, event] of entries) {
      rows += 1
      insert.run(rows, conversation.row, event)
      conversation.row = rows
    }
  })
  return {
    keep,
    history({ row }) {
      const events: string[] = []
      for (let found = select.get(row); found !== undefined; found = select.get(found[0]))
        events.push(found[1])
      return events.reverse()
    },
  }
}

const signed = (text: string): string => createHmac('sha256', KEY).update(text).digest('base64url')

function issueToken(): string {
  const claims = { exp: Math.floor(Date.now() / 1_000) + 86_400, sub: randomUUID() }
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map(part =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const text = parts.join('.')
  return `${text}.${signed(text)}`
}

const claimsSchema = z.object({ exp: z.number() })

function isValid(token: string): boolean {
  const [head, claims = '', signature = ''] = token.split('.')
  const [given, right] = [Buffer.from(signature), Buffer.from(signed(`${head}.${claims}`))]
  if (given.length !== right.length || !timingSafeEqual(given, right)) return false
  const { exp } = claimsSchema.parse(JSON.parse(Buffer.from(claims, 'base64url').toString()))
  return exp > Date.now() / 1_000
}

/** Long because its functions share what waits to be kept and sent. */
function open({ keep, history }: Keeper) {
  const conversations = new Map<string, Conversation>()
  let waiting: (readonly [Conversation, string])[] = []

  function flush(): void {
    const entries = waiting
    waiting = []
    if (entries.length === 0) return
    keep(entries)
    const corked = new Set<Duplex>()
    for (const [{ lines }, event] of entries)
      for (const { socket, below } of lines) {
        if (!corked.has(below)) below.cork()
        corked.add(below)
        socket.send(event)
      }
    for (const below of corked) below.uncork()
  }

  function add(conversation: Conversation, type: string, payload: object): void {
    if (waiting.length === 0) setImmediate(flush)
    conversation.sequence += 1
    waiting.push([
      conversation,
      `{"sequence":${conversation.sequence},"type":"EVENT_TYPE_${type}","payload":${JSON.stringify(payload)}}`,
    ])
  }

  function say(conversation: Conversation, text: string): void {
    add(conversation, 'AI_AGENT_THINKING', {})
    add(conversation, 'AI_AGENT_MESSAGE', { message_id: randomUUID(), text })
  }

  function take(conversation: Conversation, frame: string): void {
    const { type, payload } = JSON.parse(frame)
    if (type === 'EVENT_TYPE_USER_MESSAGE') {
      add(conversation, 'USER_MESSAGE', { message_id: randomUUID(), text: payload.text })
      say(conversation, `You said: ${payload.text}`)
    } else if (type === 'EVENT_TYPE_REQUEST_AI_AGENT_JOIN' && !conversation.joined) {
      conversation.joined = true
      add(conversation, 'REQUEST_AI_AGENT_JOIN', {})
      add(conversation, 'AI_AGENT_JOINED', { agent_name: 'Echo', avatar: '' })
      say(conversation, 'Welcome.')
    }
  }

  function answer({ url, headers }: IncomingMessage): readonly [status: number, body: object] {
    if (url === '/api/v1/access-token') {
      const known = headers['x-token'] === CONNECTOR.token && headers['x-host'] === CONNECTOR.host
      return known ? [200, { access_token: issueToken() }] : [401, {}]
    }
    if (url !== '/api/v1/sessions') return [404, {}]
    if (!isValid(headers.authorization?.replace('Bearer ', '') ?? '')) return [401, {}]
    const [id, conversation] = [randomUUID(), new Conversation()]
    conversations.set(id, conversation)
    add(conversation, 'SESSION_START', {})
    return [200, { session_id: id }]
  }

  function connect(conversation: Conversation, line: Line): void {
    const { socket } = line
    flush()
    socket.send(`{"type":"EVENT_TYPE_EVENT_BATCH","payload":{"events":[${history(conversation).join(',')}]}}`)
    conversation.lines.push(line)
    socket.on('message', data => take(conversation, data.toString()))
    socket.on('close', () => conversation.lines.splice(conversation.lines.indexOf(line), 1))
    socket.on('error', () => {})
  }

  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const [status, body] = answer(request)
      const text = JSON.stringify(body)
      const length = Buffer.byteLength(text)
      response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': length }).end(text)
    })
  })
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 1_048_576 })
  server.on('upgrade', (request, below, head) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams
    const conversation = conversations.get(query.get('session_id') ?? '')
    if (conversation === undefined || !isValid(query.get('access_token') ?? ''))
      return void below.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
    sockets.handleUpgrade(request, below, head, socket => connect(conversation, { socket, below }))
  })
  return server
}

if (JSON.parse(process.argv[2] ?? 'null') === 'memory') await serve(open(inMemory), CONNECTOR)
else await withFolder(folder => serve(open(inLog(join(folder, 'log.db'))), CONNECTOR))
process.exit(0)
