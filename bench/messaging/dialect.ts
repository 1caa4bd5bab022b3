import { Agent, request } from 'node:http'
import * as z from 'zod'
import { clientFrame, type RawSocket } from './raw-socket.ts'

/** Fields of an event that a load reads. */
export interface Heard {
  /** Without the prefix of the protocol. */
  readonly type: string
  readonly messageId: string | undefined
  /** Events of an `EVENT_BATCH`. */
  readonly events: readonly Heard[]
}

/** Protocol of a server. */
export interface Dialect {
  /** Opens a session; the path of its socket. */
  open(): Promise<string>
  readonly join: Buffer
  readonly message: Buffer
  /** Parses a text. Returns null if it is answered here, or contains nothing. */
  hear(text: string, socket: RawSocket): Heard | null
  /** Whether who connects again gets the whole log. */
  readonly replays: boolean
}

export const serverSchema = z.object({
  port: z.number(),
  /** Null for Socket.IO, which has no connectors. */
  connector: z.object({ token: z.string(), host: z.string() }).nullable(),
})
type Server = z.output<typeof serverSchema>

const PREFIX = 'EVENT_TYPE_'
const MESSAGE = { text: 'When will my order of two blue garden chairs arrive, please?' }

interface Wire {
  readonly type: string
  readonly payload?: { readonly message_id?: string; readonly events?: readonly Wire[] }
}

const NO_EVENTS: readonly Heard[] = []

const heard = ({ type, payload }: Wire): Heard => ({
  type: type.slice(PREFIX.length),
  messageId: payload?.message_id,
  events: payload?.events?.map(heard) ?? NO_EVENTS,
})

/** The protocol of the project. */
async function colloquy(port: number, connector: NonNullable<Server['connector']>): Promise<Dialect> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const post = (path: string, headers: Record<string, string>): Promise<Record<string, string>> =>
    new Promise((resolve, reject) => {
      const sent = { 'content-type': 'application/json', 'content-length': '2', ...headers }
      const asked = request(
        { port, path, agent, method: 'POST', headers: sent, host: '127.0.0.1' },
        response => {
          let text = ''
          response.setEncoding('utf8').on('data', part => {
            text += part
          })
          response.on('end', () => {
            if (response.statusCode === 200) resolve(JSON.parse(text))
            else reject(new Error(`${path} was answered with ${response.statusCode}: ${text}`))
          })
        },
      )
      asked.on('error', error => {
        // The server closed a kept connection just when it was used again.
        if (asked.reusedSocket) resolve(post(path, headers))
        else reject(error)
      })
      asked.end('{}')
    })
  const access = await post('/api/v1/access-token', { 'x-token': connector.token, 'x-host': connector.host })
  const token = access.access_token ?? ''
  const say = (type: string, payload: object) => clientFrame(JSON.stringify({ type: PREFIX + type, payload }))
  return {
    async open() {
      const { session_id: id = '' } = await post('/api/v1/sessions', { authorization: `Bearer ${token}` })
      return `/ws?session_id=${encodeURIComponent(id)}&access_token=${encodeURIComponent(token)}`
    },
    join: say('REQUEST_AI_AGENT_JOIN', {}),
    message: say('USER_MESSAGE', MESSAGE),
    hear: text => heard(JSON.parse(text)),
    replays: true,
  }
}

/** Packets of Engine.IO 4 and Socket.IO 5, as far as this conversation needs them. */
const PACKET = { open: '0', ping: '2', event: '42', connected: '40' } as const

/** The same conversation as events of Socket.IO. A session is a room, into which a socket comes when it connects. */
function socketIo(): Dialect {
  const [connect, pong] = [clientFrame('40'), clientFrame('3')]
  const say = (name: string, payload: object) => clientFrame(`42${JSON.stringify([name, payload])}`)
  let sessions = 0
  return {
    open: async () => `/socket.io/?EIO=4&transport=websocket&session_id=${sessions++}`,
    join: say('REQUEST_AI_AGENT_JOIN', {}),
    message: say('USER_MESSAGE', MESSAGE),
    hear(text, socket) {
      if (text.startsWith(PACKET.connected))
        return { type: 'EVENT_BATCH', messageId: undefined, events: NO_EVENTS }
      if (text.startsWith(PACKET.event)) {
        const [type, payload] = JSON.parse(text.slice(PACKET.event.length))
        return { type, messageId: payload.message_id, events: NO_EVENTS }
      }
      if (text.startsWith(PACKET.open)) socket.send(connect)
      else if (text === PACKET.ping) socket.send(pong)
      return null
    },
    replays: false,
  }
}

/** The way to talk to a server that is ready. */
export const dialectOf = async ({ port, connector }: Server): Promise<Dialect> =>
  connector === null ? socketIo() : colloquy(port, connector)
