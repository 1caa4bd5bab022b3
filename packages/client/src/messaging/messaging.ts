import { addressBelow, type GrantedToken } from './connector-token.ts'
import { type EventName, fileOf, type SentFile, type ServerEvent } from './events.ts'
import { text } from './fields.ts'
import { globals, systemNetwork, systemTiming } from './globals.ts'
import { type Link, openLink, socketAddress } from './link.ts'
import { newId } from './new-id.ts'
import type { Fetch, MessagingStorage, Network, OpenSocket, Timing } from './ports.ts'
import { bodyOf, RefusedError, refusalOf } from './refused-error.ts'
import { looksLike, show } from './show.ts'
import type {
  Conversation,
  Effect,
  Input,
  Inputs,
  InputType,
  Refusal,
  Session,
  State,
  TimerName,
} from './state.ts'
import { initialState, step } from './step.ts'
import { createKeeper, memoryStorage } from './storage.ts'

/** Name of a page's platform (contract/messaging.md, Over HTTP). */
export type ClientPlatform = 'web' | 'ios' | 'android' | 'ios-web' | 'android-web' | 'custom'

/** Options of a client. */
export interface MessagingOptions {
  /** The server's address, such as `https://chat.example`, with the path that the host mounts it below, if any. */
  readonly server: string
  /**
   * Gets an access token: `fromConnector`, or a call of the host's own server. Called when a session is to be made and
   * there is no token that lasts. Throws, with `status` if it has one, when there is none.
   */
  readonly getToken: (signal: AbortSignal) => Promise<GrantedToken>
  /**
   * Gets the id of a session from the host's own server, which knows the visitor. The server makes it with
   * `platform.messaging.createSession`, or with `POST /api/v1/sessions` and its key. Throws, with `status` if it has
   * one, when there is none.
   *
   * @default the client asks the server itself, for an unknown visitor
   */
  readonly createSession?: (
    accessToken: string,
    signal: AbortSignal,
    identity: string | null,
  ) => Promise<string>
  /**
   * Gets a token with verified facts about the visitor from the host's own server, signed for that `contextId`.
   * Functions read it. Called over each connection if the connector has a context key. Events wait for it, 4 s at most.
   * Null clears the earlier facts. If it throws or takes longer, the conversation goes on with the earlier ones.
   */
  readonly verifiedContext?: (contextId: string, identity: string | null) => Promise<string | null>
  /**
   * The visitor's identity, as with `identify`. Data of another identity on the device is dropped at the start.
   *
   * @default null: an unknown visitor
   */
  readonly identity?: string | null
  /** Whether replies come in chunks, unless `createSession` decides it. @default true */
  readonly streaming?: boolean
  /** Platform of the page, unless `createSession` sets it. */
  readonly platform?: ClientPlatform
  /**
   * The page that the visitor is on, unless `createSession` sets it. Live agents see its title and its address, without
   * query and fragment.
   *
   * @default null: nothing is said of it
   */
  readonly page?: { readonly url: string; readonly title?: string } | null
  /**
   * In a frame, the host of the page around it: the server lets it in where the connector has that host.
   *
   * @default the client is in no frame
   */
  readonly host?: string
  /** The path of sockets below the server's address. @default '/ws' */
  readonly path?: string
  /** Storage in which the session outlives the page. @default memoryStorage() */
  readonly storage?: MessagingStorage
  /** Whether the client asks the agent to join automatically. If not, `join` asks it. @default true */
  readonly joins?: boolean
  /** Failed attempts in a row after which the status is `lost`. @default the server's value, mostly 5 */
  readonly maxAttempts?: number
  /** The host's word in the names of events. @default 'AI' */
  readonly brand?: string
  /**
   * Opens each connection. Where it is given, the client uses nothing else.
   *
   * @default globalThis.WebSocket, and event streams where sockets do not get through
   */
  readonly openSocket?: OpenSocket
  /** @default globalThis.fetch */
  readonly fetch?: Fetch
  /** @default the browser's events; elsewhere always online */
  readonly network?: Network
  /** @default the system's */
  readonly timing?: Timing
}

/** A visitor's conversation. */
export interface Messaging {
  /** The conversation as it is now. The same object until something changes. */
  readonly current: Conversation
  /** Called after each change. Returns what ends it. */
  subscribe(listener: () => void): () => void
  /** Called once for each event of that name, also for those of a replay. Returns what ends it. */
  on<Name extends EventName>(name: Name, listener: (event: ServerEvent<Name>) => void): () => void
  /** Begins: takes up the stored session, or makes one, and connects. Nothing is asked of the server before. */
  start(): void
  /**
   * Sends a message. It stays in `messages` until it is delivered, and is never lost or doubled. Returns its id.
   *
   * @param files as `upload` has sent them; with some the text may be empty
   */
  send(text: string, files?: readonly SentFile[]): string
  /**
   * Sends a file for a message of this session. Rejects with the server's error, whose message is for developers, or if
   * there is no session. Show `current.takes` before: the types and sizes that the server takes.
   */
  upload(file: Blob, name: string, signal?: AbortSignal): Promise<SentFile>
  /** Returns an address of a file of this session, which expires after minutes. */
  fileAddress(id: string): Promise<string>
  /**
   * Returns the address of a socket of this session other than the client's own, such as `/voice`. It has the visitor's
   * token. Null if there is no session.
   */
  socketAddress(path: string): string | null
  /** Sends a message again that failed. */
  resend(id: string): void
  /** Removes a message that failed. */
  discard(id: string): void
  /** Call it at each keystroke: the live agent sees a typing indicator, which ends a while later. */
  typing(): void
  /** Requests the agent: if `joins` is off, or after it could not start. */
  join(): void
  /** Tries to connect now. */
  reconnect(): void
  /** Ends the session. */
  end(): void
  /**
   * Rates the session, also after its end: 1, the worst, to 5, and a comment if any. The newest rating counts. Rejects
   * with the server's error, or if there was no session yet.
   */
  rate(score: number, comment?: string): Promise<void>
  /** Leaves this session, ends it where it is open, and begins a new one. */
  renew(): void
  /**
   * Sets the visitor's identity: any text that is unique to them in your system, or null for nobody. If it changes,
   * their session is ended, unsent messages are dropped, and a new session begins. It is not sent to the server:
   * `createSession` and `verifiedContext` get it.
   */
  identify(identity: string | null): void
  /**
   * Ends the session and removes all data of the visitor from the device, as when they sign out. `start` begins a new
   * one.
   */
  forget(): void
  /** Releases everything: sockets, timers, requests, listeners. The session goes on without this client. */
  destroy(): void
}

/** A request about sessions. */
interface Asked {
  readonly body?: string | Blob
  /** @default "POST" */
  readonly method?: string
  /** @default "application/json" */
  readonly type?: string
}

type Of<Type extends Effect['type']> = Extract<Effect, { type: Type }>

/** The life of a token if its issuer does not give one, seconds. */
const USUAL_LIFE = 86_400

/** Makes a client. It is long because sockets, timers, requests and storage meet in the one queue of inputs. */
export function createMessaging(options: MessagingOptions): Messaging {
  const { server, path = '/ws', timing = systemTiming, network = systemNetwork } = options
  const keeper = createKeeper(options.storage ?? memoryStorage())
  const listeners = new Set<() => void>()
  const hearers = new Map<string, Set<(event: never) => void>>()
  const timers = new Map<TimerName, () => void>()
  const inputs: Input[] = []
  let working = false
  let stopWatching = (): void => {}
  let link: Link | null = null
  let request: AbortController | null = null
  let state: State = initialState(
    {
      brand: (options.brand ?? 'AI').toUpperCase(),
      joins: options.joins ?? true,
      maxAttempts: options.maxAttempts ?? null,
      verifies: options.verifiedContext !== undefined,
      identity: options.identity ?? null,
      streams: options.openSocket === undefined,
    },
    network.isOnline(),
  )
  /** The session that was connected to last: it can be rated when it is over. */
  let newest: Session | null = null
  let shown: { readonly of: State; readonly conversation: Conversation } | null = null

  /** Inputs that come while one is carried out wait for it. */
  function feed<Type extends InputType>(type: Type, input: Inputs[Type]): void {
    inputs.push({ type, now: timing.now(), ...input } as Input)
    if (working) return
    working = true
    try {
      for (let next = inputs.shift(); next !== undefined; next = inputs.shift()) carryOut(next)
    } finally {
      working = false
    }
  }

  function carryOut(input: Input): void {
    const before = state
    const stepped = step(state, input)
    state = stepped.state
    for (const effect of stepped.effects) perform[effect.type](effect as never)
    if (!looksLike(before, state)) for (const listener of [...listeners]) tell(listener)
  }

  /**
   * Returns a listener that throws is the host's problem: the others are still called, and the error is reported as
   * uncaught.
   */
  function tell(listener: () => void): void {
    try {
      listener()
    } catch (error) {
      queueMicrotask(() => {
        throw error
      })
    }
  }

  /** Makes a request. A failure is dispatched as an event, unless the request was cancelled. */
  function ask(attempt: number, run: (signal: AbortSignal) => Promise<void>): void {
    const controller = new AbortController()
    request = controller
    run(controller.signal).catch(error => {
      if (!controller.signal.aborted) feed('refused', { attempt, refusal: refusalOf(error) })
    })
  }

  const getToken = (attempt: number): void =>
    ask(attempt, async signal => {
      const { accessToken, expiresIn } = await options.getToken(signal)
      if (!accessToken) throw new RefusedError(400, 'getToken gave no accessToken.')
      const issuedAt = timing.now()
      const expiresAt = issuedAt + (expiresIn > 0 ? expiresIn : USUAL_LIFE) * 1_000
      feed('token', { attempt, token: { value: accessToken, issuedAt, expiresAt } })
    })

  /** Sends a request below `sessions` to the server. */
  async function aboutSessions(
    token: string,
    path: string,
    { body, method = 'POST', type = 'application/json' }: Asked,
    signal = new AbortController().signal,
  ) {
    const send = options.fetch ?? globals().fetch
    if (send === undefined) throw new RefusedError(400, 'There is no fetch here. Use the option `fetch`.')
    const answer = await send(addressBelow(server, `api/v1/sessions${path}`), {
      ...{ method, ...(body !== undefined && { body }), signal },
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': type }) },
    })
    return bodyOf(answer, timing.now())
  }

  /** Sends a request about the session that was connected to last. */
  async function aboutNewest(path: string, asked: Asked, signal?: AbortSignal) {
    if (newest === null) throw new RefusedError(404, 'There is no session.')
    const { id, token } = newest
    return aboutSessions(token.value, `/${id}/${path}`, asked, signal)
  }

  async function requestSession(accessToken: string, signal: AbortSignal): Promise<string> {
    const { page, platform, streaming = true } = options
    const body = JSON.stringify({ streaming_enabled: streaming, platform, ...(page && { page }) })
    return text(await aboutSessions(accessToken, '', { body }, signal), 'session_id')
  }

  const createSession = ({ attempt, token, identity }: Of<'create session'>): void =>
    ask(attempt, async signal => {
      const id = await (options.createSession ?? requestSession)(token.value, signal, identity)
      if (!id) throw new RefusedError(502, 'The server made no session.')
      feed('session', { attempt, id })
    })

  /** Requests the session's stream, and reads only the status. */
  const askSession = (attempt: number, { id, token }: Session): void =>
    ask(attempt, async signal => {
      const send = options.fetch ?? globals().fetch
      if (send === undefined) throw new RefusedError(0, 'There is no fetch here. Use the option `fetch`.')
      const done = new AbortController()
      const headers = { authorization: `Bearer ${token.value}` }
      const asked = options.host ? `?host=${encodeURIComponent(options.host)}` : ''
      const address = addressBelow(server, `api/v1/sessions/${encodeURIComponent(id)}/stream${asked}`)
      const stop = (): void => done.abort()
      signal.addEventListener('abort', stop)
      try {
        const answer = await send(address, { method: 'GET', headers, signal: done.signal })
        if (!answer.ok) await bodyOf(answer, timing.now())
        feed('found', { attempt })
      } finally {
        signal.removeEventListener('abort', stop)
        stop()
      }
    })

  async function getContext({ attempt, contextId, identity }: Of<'get context'>): Promise<void> {
    let token: string | null | undefined
    try {
      token = await options.verifiedContext?.(contextId, identity)
    } catch {
      // The conversation goes on without it.
    }
    feed('context', { attempt, token })
  }

  /** Sockets if there are any, and streams, which are loaded with their first use, where none get through. */
  function withOpener(streams: boolean, use: (openSocket: OpenSocket) => void): Promise<void> | undefined {
    const { WebSocket } = globals()
    if (options.openSocket !== undefined) use(options.openSocket)
    else if (streams || WebSocket === undefined)
      return import('../sse/index.ts').then(({ overStreams }) => use(overStreams({ server })))
    else use(url => new WebSocket(url))
    return undefined
  }

  function connect({ attempt, streams, session, cursor }: Of<'connect'>): void {
    newest = session
    const address = socketAddress(server, path, { session, cursor, host: options.host })
    const closed = (code: number, refusal: Refusal | null = null, problem = ''): void =>
      feed('closed', { attempt, code, refusal, problem })
    const frame = (json: string): void => feed('frame', { attempt, json })
    withOpener(streams, openSocket => {
      if (attempt === state.attempt) link = openLink(openSocket, address, { closed, frame })
    })?.catch(() => closed(1006))
  }

  function hangUp(): void {
    request?.abort()
    request = null
    link?.release()
    link = null
  }

  function setTimer({ name, min, max }: Of<'set timer'>): void {
    timers.get(name)?.()
    const stop = timing.delay(
      () => {
        timers.delete(name)
        feed('timer', { name })
      },
      min + (max - min) * timing.random(),
    )
    timers.set(name, stop)
  }

  const perform: { readonly [Type in Effect['type']]: (effect: Of<Type>) => void } = {
    'get token': ({ attempt }) => getToken(attempt),
    'create session': createSession,
    'ask session': ({ attempt, session }) => askSession(attempt, session),
    connect,
    'keep to streams': () => keeper.keepToStreams(timing.now()),
    'get context': effect => void getContext(effect),
    'store identity': ({ identity }) => keeper.storeIdentity(identity),
    transmit: ({ frame }) => link?.send(frame),
    'hang up': hangUp,
    'set timer': setTimer,
    'clear timer'({ name }) {
      timers.get(name)?.()
      timers.delete(name)
    },
    'store session': ({ session }) =>
      keeper.storeSession(session, state.identity, other => feed('adopt', { session: other })),
    'forget session': ({ id }) => keeper.forgetSession(id),
    'store pending': ({ pending }) => keeper.storePending(pending, timing.now()),
    'forget pending': ({ id }) => keeper.forgetPending(id),
    tell({ event }) {
      for (const hear of [...(hearers.get(event.name) ?? [])]) tell(() => hear(event as never))
    },
  }

  return {
    get current() {
      if (shown === null || !looksLike(shown.of, state)) shown = { of: state, conversation: show(state) }
      return shown.conversation
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    on(name, listener) {
      const set = hearers.get(name) ?? new Set()
      hearers.set(name, set.add(listener))
      return () => void set.delete(listener)
    },
    start() {
      if (state.phase !== 'idle') return
      stopWatching()
      stopWatching = network.watch(change =>
        change === 'woken' ? feed('wake', {}) : feed('network', { online: change === 'online' }),
      )
      keeper.read(found => feed('start', { ...found, streams: found.streamsUntil > timing.now() }))
    },
    send(words, files) {
      const id = newId()
      if (words.trim() !== '' || files?.length) feed('say', { id, text: words, ...(files && { files }) })
      return id
    },
    upload: async (file, name, signal) =>
      fileOf(
        await aboutNewest(
          `files?name=${encodeURIComponent(name)}`,
          { body: file, type: file.type || 'application/octet-stream' },
          signal,
        ),
      ),
    async fileAddress(id) {
      const answer = await aboutNewest(`files/${encodeURIComponent(id)}`, { method: 'GET' })
      // A proxy may have taken a part of the path off.
      return addressBelow(server, text(answer, 'url').replace(/^.*(?=api\/v1\/files\/)/, ''))
    },
    socketAddress: path =>
      state.session && socketAddress(server, path, { session: state.session, cursor: 0, host: options.host }),
    resend: id => feed('resend', { id }),
    discard: id => feed('discard', { id }),
    typing: () => feed('type', { typing: true }),
    join: () => feed('join', { id: newId() }),
    reconnect: () => feed('reconnect', {}),
    end: () => feed('end', { id: newId() }),
    async rate(score, comment) {
      await aboutNewest('rating', { method: 'PUT', body: JSON.stringify({ score, comment }) })
    },
    renew: () => feed('renew', {}),
    identify: identity => feed('identify', { identity }),
    forget: () => feed('forget', {}),
    destroy() {
      stopWatching()
      listeners.clear()
      hearers.clear()
      feed('destroy', {})
    },
  }
}
