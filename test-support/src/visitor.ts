import type { ConnectorInfo } from '../../packages/core/src/domain/access/access.ts'
import type { AccountId, AgentId, ConversationId } from '../../packages/core/src/domain/ids.ts'
import type { Platform } from '../../packages/core/src/platform.ts'
import { type FakeClock, openSocketPair, type ReceivedEvent } from '../../packages/core/src/testing/index.ts'
import type { SessionOptions } from '../../packages/core/src/usecases/messaging/create-session.ts'
import { logged } from './replies.ts'

export const CONNECTOR_TOKEN = 'connector-token-for-tests'

/** A visitor's client over an in-memory socket. */
export interface Visitor {
  readonly id: ConversationId
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly accessToken: string
  readonly received: readonly ReceivedEvent[]
  join(): Promise<void>
  say(text: string, clientEventId?: string): Promise<void>
  typing(state: 'started' | 'stopped'): Promise<void>
  end(): Promise<void>
  heartbeat(): Promise<void>
  /** Any event, with the metadata that its client gives it. */
  send(type: string, payload: object, custom?: Readonly<Record<string, string>>): Promise<void>
  /** Names of the events received, without prefix; batches unfolded. */
  types(): readonly string[]
  /** Texts of the events of a type. */
  texts(type: string): readonly unknown[]
  /** Sequences of the events of the log that were received, batches unfolded. */
  sequences(): readonly number[]
  /** Returns the close code of the platform; null while the socket is open. */
  closedBy(): { readonly code: number } | null
  /** Frames as they came, batches folded. */
  readonly frames: readonly ReceivedEvent[]
  /** The network is gone. */
  drop(): Promise<void>
  /** Another connection to the same session, through another process; with a cursor, for what follows it. */
  reconnect(platform: Platform, cursor?: number): Promise<Visitor>
}

/** An account with one published agent and a connector to it; made once for each store. */
async function connect(platform: Platform): Promise<ConnectorInfo> {
  const known = await platform.access.connectorByToken(CONNECTOR_TOKEN)
  if (known !== null) return known
  const account = await platform.access.createAccount({ slug: 'acme', name: 'Acme' })
  const agent = await platform.agents.create({
    accountId: account.id,
    name: 'Front desk',
    greeting: 'Welcome.',
  })
  await platform.agents.publish(agent.id, { environment: 'live' })
  const { connector } = await platform.access.createConnector({
    accountId: account.id,
    agentId: agent.id,
    environment: 'live',
    hosts: ['example.com'],
    token: CONNECTOR_TOKEN,
    handoff: { mode: 'server', queueName: 'reception', timeoutSeconds: 300 },
  })
  return connector
}

/**
 * Opens a session and connects to it. Long because a visitor connects again by the same few functions.
 */
export async function openVisitor(
  platform: Platform,
  clock: FakeClock,
  streaming = false,
  session: Partial<SessionOptions> = {},
): Promise<Visitor> {
  const { accountId, agentId } = await connect(platform)
  const { accessToken } = await platform.messaging.issueAccessToken({
    connectorToken: CONNECTOR_TOKEN,
    host: 'example.com',
    remoteAddress: '127.0.0.1',
  })
  const { sessionId } = await platform.messaging.createSession({
    authorization: `Bearer ${accessToken}`,
    ...{ streaming, ...session },
  })

  async function open(over: Platform, after?: number): Promise<Visitor> {
    const cursor = after === undefined ? null : `seq:${after}`
    const handshake = await over.messaging.handshake({ sessionId, accessToken, cursor })
    if ('status' in handshake) throw new Error(`The handshake was refused: ${handshake.message}`)
    const pair = openSocketPair(handshake)
    /** Until nothing moves any more: frames, writes and the agent's answers. */
    async function settle(): Promise<void> {
      for (let round = 0; round < 5; round++) {
        await pair.flush()
        await clock.settle()
      }
    }
    async function send(
      type: string,
      payload: object,
      custom?: Readonly<Record<string, string>>,
    ): Promise<void> {
      const metadata = custom === undefined ? {} : { metadata: { custom } }
      pair.send({ type: `EVENT_TYPE_${type}`, payload, ...metadata })
      await settle()
    }
    await settle()
    const journaled = () => {
      pair.flushToClient()
      return pair.events()
    }
    return {
      id: sessionId,
      accountId,
      agentId,
      accessToken,
      get received() {
        return journaled()
      },
      join: () => send('REQUEST_AI_AGENT_JOIN', {}),
      say: (text, clientEventId) =>
        send(
          'USER_MESSAGE',
          { text },
          clientEventId === undefined ? undefined : { client_event_id: clientEventId },
        ),
      typing: state => send('USER_TYPING', { state }),
      end: () => send('USER_END_SESSION', {}),
      heartbeat: () => send('HEARTBEAT', {}),
      send,
      types: () => journaled().map(({ type }) => type.replace('EVENT_TYPE_', '')),
      texts: type =>
        journaled()
          .filter(event => event.type === `EVENT_TYPE_${type}`)
          .map(({ payload }) => payload.text ?? payload.message),
      sequences: () => logged(journaled()).map(({ sequence }) => sequence),
      get frames() {
        pair.flushToClient()
        return pair.received
      },
      async drop() {
        pair.flushToClient()
        pair.close()
        await settle()
      },
      closedBy: () => pair.closedBy,
      reconnect: open,
    }
  }
  return open(platform)
}
