import type { z } from 'zod'
import { DESK_EVENTS } from '../../../packages/core/src/http/answers/desk-events.ts'
import {
  CLOSE_CODES,
  CLOSE_TEXTS,
  type CloseReason,
} from '../../../packages/core/src/protocol/close-codes.ts'
import { createEventNames } from '../../../packages/core/src/protocol/event-names.ts'
import { clientFrames, serverFrames } from '../../../packages/core/src/protocol/frames.ts'
import { DEFAULT_BRAND } from '../../../packages/core/src/settings/brand.ts'
import { CLOSES, DESK_SAYS, MEANS, SAYS } from '../event-meanings.ts'
import { type WireExamples, wireExamples } from '../wire-examples.ts'
import { Components, type JsonObject } from './json-schemas.ts'

/** The AsyncAPI document of the two sockets, and of the streams in place of the visitor's. */

const names = createEventNames(DEFAULT_BRAND)

interface Frame {
  readonly type: string
}

/** At most two examples of an event, a short one and a long one. */
function examplesOf(frames: readonly Frame[], name: string): readonly JsonObject[] {
  const all = frames
    .filter(({ type }) => type === name)
    .toSorted((one, other) => JSON.stringify(one).length - JSON.stringify(other).length)
  if (all.length === 0) throw new Error(`No conversation of the examples has the event ${name}.`)
  const [first, last] = [all[0], all.at(-1)]
  return (first === last ? [first] : [first, last]).map(payload => ({ payload }))
}

interface Told {
  /** Key of the message among the components. */
  readonly key: string
  readonly name: string
  readonly summary: string
  readonly payload: z.ZodType
  readonly frames: readonly Frame[]
}

const messageOf = ({ name, summary, payload, frames }: Told, components: Components): JsonObject => ({
  name,
  title: name,
  summary,
  contentType: 'application/json',
  payload: components.schema(payload),
  examples: examplesOf(frames, name),
})

function toldBySockets({ sent, received, desk }: WireExamples) {
  const toServer = [...clientFrames(names)].map(([type, payload]): Told => {
    const name = names.wire(type)
    return { key: `${name}.client`, name, summary: MEANS[type], payload, frames: sent }
  })
  const toVisitor = [...serverFrames(names)].map(([type, payload]): Told => {
    const name = names.wire(type)
    return { key: name, name, summary: SAYS[type] ?? '', payload, frames: received }
  })
  const toDesk = Object.entries(DESK_EVENTS).map(
    ([name, payload]): Told => ({
      key: name,
      name,
      summary: DESK_SAYS[payload.shape.type.value],
      payload,
      frames: desk,
    }),
  )
  return { toServer, toVisitor, toDesk }
}

const CLOSE_REASONS: readonly CloseReason[] = [
  ...([
    'ended',
    'going_away',
    'key_revoked',
    'flooding',
    'too_large',
    'internal',
    'too_slow',
    'session_unknown',
  ] as const),
]

const DESK_REASONS: readonly CloseReason[] = ['going_away', 'key_revoked', 'flooding', 'internal', 'too_slow']

/** Close codes as a list in the description of a channel. */
const closesOf = (reasons: readonly CloseReason[]): string =>
  reasons.map(reason => `- ${CLOSE_CODES[reason]} \`${CLOSE_TEXTS[reason]}\`: ${CLOSES[reason]}`).join('\n')

const text = (description: string): JsonObject => ({ type: 'string', description })

const socket = (required: readonly string[], properties: JsonObject): JsonObject => ({
  ws: { method: 'GET', query: { type: 'object', required, properties }, bindingVersion: '0.1.0' },
})

const on = (server: 'here' | 'http') => ({ servers: [{ $ref: `#/servers/${server}` }] })

/** One direction of a visitor's session without sockets. */
const overHttp = (path: 'stream' | 'events', description: string, told: readonly Told[]): JsonObject => ({
  address: `/api/v1/sessions/{sessionId}/${path}`,
  title: path === 'stream' ? 'Stream' : 'Posts',
  description,
  ...on('http'),
  parameters: { sessionId: { description: 'The session.' } },
  messages: messagesOf(told),
})

const http = (method: 'GET' | 'POST'): JsonObject => ({
  bindings: { http: { method, bindingVersion: '0.3.0' } },
})

const messagesOf = (told: readonly Told[]): JsonObject =>
  Object.fromEntries(told.map(({ key }) => [key, { $ref: `#/components/messages/${key}` }]))

const refsOf = (channel: string, told: readonly Told[]): readonly JsonObject[] =>
  told.map(({ key }) => ({ $ref: `#/channels/${channel}/messages/${key}` }))

function channels({ toServer, toVisitor, toDesk }: ReturnType<typeof toldBySockets>): JsonObject {
  return {
    visitor: {
      address: '/ws',
      title: 'Visitor',
      description:
        'A session of messaging. `POST /api/v1/access-token` and `POST /api/v1/sessions` answer with what the query holds. ' +
        'The first frame of the server is a batch of all that is after the cursor. ' +
        'A client sends a heartbeat every `heartbeat_interval_seconds` of `SESSION_START`, and gets it back; ' +
        'ten minutes without a frame of the visitor end the session. The host may choose another path. ' +
        'Without sockets the same frames go over the channels `stream` and `posts`.\n\n' +
        `The server closes with\n\n${closesOf(CLOSE_REASONS)}`,
      ...on('here'),
      messages: messagesOf([...toServer, ...toVisitor]),
      bindings: socket(['session_id', 'access_token'], {
        session_id: text('The session.'),
        access_token: text('The access token with which the session was made.'),
        cursor: text(
          'The newest sequence that the client has, `n` or `seq:n`; without one it gets the whole log.',
        ),
      }),
    },
    stream: overHttp(
      'stream',
      "What the visitor's socket would be sent, as Server-Sent Events: `data` is a frame, `id` the cursor with which a client comes back. " +
        'The operation `streamEvents` of the OpenAPI document has the parameters, credentials and refusals.',
      toVisitor,
    ),
    posts: overHttp(
      'events',
      "What a client would send over the visitor's socket: a frame, or an array of them, in a body of JSON. " +
        'The operation `postEvents` of the OpenAPI document has the parameters, credentials and refusals.',
      toServer,
    ),
    desk: {
      address: '/desk/v1/ws',
      title: 'Desk',
      description:
        'What concerns the visitors of an account, told to its live agents. Frames of the client only show that it is alive. ' +
        `The host may choose another path.\n\nThe server closes with\n\n${closesOf(DESK_REASONS)}`,
      ...on('here'),
      messages: messagesOf(toDesk),
      bindings: socket(['api_key'], {
        api_key: text('An API key of kind `desk`.'),
        agent_id: { ...text('The live agent who watches.'), minLength: 1, maxLength: 200 },
      }),
    },
  }
}

/** The AsyncAPI document as the package ships it. */
export async function asyncApiFile(): Promise<string> {
  const told = toldBySockets(await wireExamples())
  const components = new Components()
  const messages = Object.fromEntries(
    [...told.toServer, ...told.toVisitor, ...told.toDesk].map(one => [one.key, messageOf(one, components)]),
  )
  const operation = (
    action: 'send' | 'receive',
    channel: string,
    summary: string,
    some: readonly Told[],
  ) => ({
    ...{ action, summary, channel: { $ref: `#/channels/${channel}` }, messages: refsOf(channel, some) },
  })
  const document = {
    asyncapi: '3.0.0',
    info: {
      title: 'Colloquy',
      version: '1.0.0',
      license: { name: 'MIT' },
      description:
        'Everything that goes over the sockets of a Colloquy server, and over the streams in their place, as JSON text, one object a frame. ' +
        'Fields and events may be added, so clients ignore those that they do not know. ' +
        '`AI` in the names of events is the word of the setting `brand`. Actions are those of the server.',
    },
    defaultContentType: 'application/json',
    servers: {
      here: { host: 'localhost', protocol: 'wss', description: 'Where the host attaches the sockets' },
      http: { host: 'localhost', protocol: 'https', description: 'Where the host mounts the router' },
    },
    channels: channels(told),
    operations: {
      hearVisitor: operation('receive', 'visitor', 'What a visitor sends', told.toServer),
      tellVisitor: operation('send', 'visitor', 'What a visitor is sent', told.toVisitor),
      streamToVisitor: {
        ...operation('send', 'stream', 'What a visitor without a socket is sent', told.toVisitor),
        ...http('GET'),
      },
      hearPosts: {
        ...operation('receive', 'posts', 'What a visitor without a socket sends', told.toServer),
        ...http('POST'),
      },
      tellDesk: operation('send', 'desk', 'What a live agent is sent', told.toDesk),
    },
    components: { messages, schemas: components.named() },
  }
  return `${JSON.stringify(document, null, 1)}\n`
}
