import { TEST_BRAND } from '@colloquy/test-support/brand'
import { createSignal } from '@colloquy/test-support/signal'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import {
  type Conversation,
  createMessaging,
  fromConnector,
  type Messaging,
  type MessagingOptions,
  type OpenSocket,
} from '../../src/messaging/index.ts'
import { overStreams } from '../../src/sse/index.ts'

/** A client that is watched, and let go when the test is over. */
export interface Watched extends Messaging {
  /** Resolves as soon as the conversation is so. */
  until(wanted: (conversation: Conversation) => boolean): Promise<Conversation>
  /** Names and sequences of the events of the log that were told. */
  readonly log: readonly (readonly [number, string])[]
}

type Options = Partial<MessagingOptions> & {
  readonly server: string
  readonly connectorToken?: string
  readonly way?: Way
}

/** How a client gets its frames. */
export const WAYS = {
  sockets: () => url => new WebSocket(url),
  streams: server => overStreams({ server }),
} as const satisfies Readonly<Record<string, (server: string) => OpenSocket>>

export type Way = keyof typeof WAYS

export const EVERY_WAY = ['sockets', 'streams'] as const satisfies readonly Way[]

/** Starts a client in Node. */
export function watch({ connectorToken = '', way = 'sockets', ...options }: Options): Watched {
  const { server } = options
  const client = createMessaging({
    getToken: fromConnector({ server, connectorToken, host: 'localhost' }),
    openSocket: WAYS[way](server),
    brand: TEST_BRAND.events,
    ...options,
  })
  const signal = createSignal()
  const log: (readonly [number, string])[] = []
  for (const name of LOGGED)
    client.on(name, ({ sequence, payload }) => {
      const isPart = 'isComplete' in payload && !payload.isComplete
      if (sequence !== null && !isPart) log.push([sequence, name])
    })
  client.subscribe(signal.changed)
  onTestFinished(() => client.destroy())
  client.start()
  return Object.assign(Object.create(client), {
    log,
    async until(wanted: (conversation: Conversation) => boolean) {
      await signal.until(() => wanted(client.current))
      return client.current
    },
  })
}

const LOGGED = [
  'SESSION_START',
  'REQUEST_AI_AGENT_JOIN',
  'USER_MESSAGE',
  'USER_END_SESSION',
  'AI_AGENT_JOINED',
  'AI_AGENT_MESSAGE',
  'AI_AGENT_MESSAGE_CHUNK',
  'AI_AGENT_TRIGGERED_HANDOFF',
  'AI_AGENT_LEFT',
  'HANDOFF_ACCEPTED',
  'HANDOFF_FAILED',
  'LIVE_AGENT_JOINED',
  'LIVE_AGENT_MESSAGE',
  'LIVE_AGENT_LEFT',
  'SESSION_END',
] as const

/** What is shown of messages. */
export const saidIn = ({ messages }: Conversation): readonly string[] =>
  messages.map(({ from, state, text }) => `${from} ${state}: ${text}`)

/** The numbers from 1 to that one. */
export const upTo = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index + 1)
