/** An event as the server sends it. The payload has only the fields that are read here. */
interface ServerEvent {
  readonly id: string
  readonly sequence: number | null
  readonly type: string
  readonly payload: Payload
  readonly metadata?: { readonly custom?: { readonly client_event_id?: string } }
}

interface Payload {
  readonly events?: readonly ServerEvent[]
  readonly capabilities?: {
    readonly heartbeat_interval_seconds: number
    readonly max_reconnect_attempts: number
  }
  readonly message_id?: string
  readonly text?: string
  readonly chunk_index?: number
  readonly is_complete?: boolean
  readonly level?: string
}

/** A message as it is shown. A reply that streams grows until it is complete. */
export interface Message {
  readonly from: 'visitor' | 'agent' | 'live agent'
  readonly text: string
  readonly isComplete: boolean
}

export interface ChatOptions {
  /** The server's address, such as `https://chat.example`. */
  readonly server: string
  readonly connectorToken: string
  /** A host that the connector is registered for; in a page `location.hostname`. */
  readonly host: string
  /** Called with the whole conversation whenever it has changed. */
  readonly onMessages: (messages: readonly Message[]) => void
  /** Called once for each event, with its name without `EVENT_TYPE_`. */
  readonly onEvent: (name: string, payload: Payload) => void
}

/** Close codes after which connecting again is of no use: ended, frame too large, session unknown. */
const FINAL_CODES = [1000, 1009, 4001]

/** The senders of messages, by type of event. */
const SPEAKERS: Readonly<Record<string, Message['from']>> = {
  USER_MESSAGE: 'visitor',
  AI_AGENT_MESSAGE: 'agent',
  AI_AGENT_MESSAGE_CHUNK: 'agent',
  LIVE_AGENT_MESSAGE: 'live agent',
}

/** Opens a session and keeps it connected. `closed` resolves with the last close code. */
export async function openChat({ server, connectorToken, host, onMessages, onEvent }: ChatOptions) {
  const post = async (path: string, headers: Record<string, string>, body: object) => {
    const response = await fetch(new URL(path, server), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const answer: Readonly<Record<string, string>> = JSON.parse(await response.text())
    if (!response.ok) throw new Error(`${response.status}: ${answer.message}`)
    return answer
  }
  const access = await post('/api/v1/access-token', { 'x-token': connectorToken, 'x-host': host }, {})
  const authorization = `Bearer ${access.access_token}`
  const session = await post('/api/v1/sessions', { authorization }, { streaming_enabled: true })

  const messages = new Map<string, Message>()
  const chunks = new Map<string, string[]>()
  const seen = new Set<string>()
  const outbox = new Map<string, string>()
  let socket: WebSocket | null = null
  let cursor = 0
  let failures = 0
  let maxFailures = 5
  let heartbeat = 30_000
  let finish = (_code: number): void => {}
  const closed = new Promise<number>(resolve => {
    finish = resolve
  })

  /** A reply that was broken off is never completed. */
  const dropIncomplete = (): void => {
    for (const [id, { isComplete }] of messages) if (!isComplete) messages.delete(id)
  }

  const take = ({ id, sequence, type, payload, metadata }: ServerEvent): void => {
    // An echo, or an error: either way the server has decided about the event.
    outbox.delete(metadata?.custom?.client_event_id ?? '')
    if (sequence === 1 && cursor > 0) {
      // The server was set back to a backup: the log comes from its beginning.
      for (const known of [messages, chunks, seen]) known.clear()
      cursor = 0
    }
    if (sequence !== null && seen.has(id)) return
    if (sequence !== null) seen.add(id)
    cursor = Math.max(cursor, sequence ?? 0)
    heartbeat = (payload.capabilities?.heartbeat_interval_seconds ?? heartbeat / 1000) * 1000
    maxFailures = payload.capabilities?.max_reconnect_attempts ?? maxFailures

    const name = type.replace('EVENT_TYPE_', '')
    const {
      message_id: messageId = '',
      text = '',
      chunk_index: index = 1,
      is_complete: isComplete = true,
    } = payload
    const from = SPEAKERS[name]
    const isError = payload.level === 'SYSTEM_MESSAGE_LEVEL_ERROR'
    if (isError || name === 'SESSION_END') dropIncomplete()
    if (from !== undefined) {
      const parts = chunks.get(messageId) ?? []
      parts[index - 1] = text
      chunks.set(messageId, parts)
      messages.set(messageId, { from, text: parts.join(''), isComplete })
      if (from === 'agent' && isComplete) dropIncomplete()
    }
    if (from !== undefined || isError || name === 'SESSION_END') onMessages([...messages.values()])
    if (name !== 'HEARTBEAT') onEvent(name, payload)
  }

  const connect = (): void => {
    const address = new URL('/ws', server.replace(/^http/, 'ws'))
    address.searchParams.set('session_id', session.session_id ?? '')
    address.searchParams.set('access_token', access.access_token ?? '')
    address.searchParams.set('cursor', String(cursor))
    const opened = new WebSocket(address)
    let heardAt = Date.now()
    const lose = (code: number): void => {
      clearTimeout(timer)
      socket = null
      opened.onmessage = null
      opened.onclose = null
      opened.close()
      failures += 1
      if (FINAL_CODES.includes(code) || failures > maxFailures) finish(code)
      else setTimeout(connect, 250 * 2 ** failures * (0.5 + Math.random() / 2))
    }
    const beat = (): void => {
      timer = setTimeout(beat, heartbeat)
      if (Date.now() - heardAt > 2 * heartbeat) lose(1006)
      else socket?.send('{"type": "EVENT_TYPE_HEARTBEAT", "payload": {}}')
    }
    let timer = setTimeout(beat, heartbeat)
    // `close` follows, and decides.
    opened.onerror = () => {}
    opened.onclose = ({ code }) => lose(code)
    opened.onmessage = ({ data }) => {
      heardAt = Date.now()
      const event: ServerEvent = JSON.parse(String(data))
      for (const one of event.payload.events ?? [event]) take(one)
      if (socket !== null) return
      // The first batch is there: the connection stands. What has no answer yet goes out again.
      socket = opened
      failures = 0
      for (const frame of outbox.values()) opened.send(frame)
    }
  }

  const send = (name: string, payload: object): void => {
    const id = crypto.randomUUID()
    const metadata = { custom: { client_event_id: id } }
    const frame = JSON.stringify({ type: `EVENT_TYPE_${name}`, payload, metadata })
    outbox.set(id, frame)
    socket?.send(frame)
  }

  send('REQUEST_AI_AGENT_JOIN', {})
  connect()
  return {
    say: (text: string) => send('USER_MESSAGE', { text }),
    end: () => send('USER_END_SESSION', {}),
    closed,
  }
}
