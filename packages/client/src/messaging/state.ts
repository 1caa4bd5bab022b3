import type { SentFile, ServerEvent, TakenFiles } from './events.ts'
import type { EndReason, Handoff, Log, Message, Notice, Server } from './log.ts'

/** A visitor's access token, as the server gave it. */
export interface AccessToken {
  readonly value: string
  /** Milliseconds since the epoch, by this side's clock. */
  readonly issuedAt: number
  readonly expiresAt: number
}

/** A session, with the only token that opens it. */
export interface Session {
  readonly id: string
  readonly token: AccessToken
}

/** An event that was sent and has no answer yet. */
export interface Pending {
  /** The event takes effect once in its session under this id, however often it is sent. */
  readonly id: string
  readonly kind: 'join' | 'message' | 'end'
  /** Text of a message. */
  readonly text: string
  /** Files that a message names. */
  readonly files?: readonly SentFile[]
  /** The reason why it was refused, in words for the visitor, or empty; null while it is to be sent. */
  readonly problem: string | null
  /** The session to which it was sent; null while it was sent to none. */
  readonly session: string | null
}

/**
 * Phase of a client. `token`, `session`, `connecting`: requests, one after the other. `asking`: asks whether the
 * session exists. `ready`: has the first batch. `waiting`: waits for the next attempt. `failed`: was refused a token or
 * a session.
 */
export type Phase =
  | 'idle'
  | 'token'
  | 'session'
  | 'asking'
  | 'connecting'
  | 'ready'
  | 'waiting'
  | 'failed'
  | 'ended'
  | 'destroyed'

/** Settings that do not change during the life of a client. */
export interface Config {
  /** The brand's word for events, in capitals. */
  readonly brand: string
  /** Whether the client asks the agent to join automatically. */
  readonly joins: boolean
  /** Failed attempts in a row that are allowed; null: as many as the server says. */
  readonly maxAttempts: number | null
  /** Whether the page can ask for a verified context. @default false */
  readonly verifies?: boolean
  /** The visitor's identity as given by the host. @default null */
  readonly identity?: string | null
  /** Whether streams are there for where sockets do not get through. @default false */
  readonly streams?: boolean
}

/** Error of a request or a handshake. */
export interface Problem {
  /** HTTP status or close code; 0 if there was no answer. */
  readonly status: number
  readonly message: string
}

/** The client's whole state, as plain data. Only `step` makes the next one. */
export interface State {
  readonly config: Config
  readonly phase: Phase
  readonly online: boolean
  /** Number of the request or socket in progress. Messages of older ones are ignored. */
  readonly attempt: number
  /** Attempts that failed since the last one that got on. */
  readonly failures: number
  readonly token: AccessToken | null
  readonly session: Session | null
  /**
   * The visitor's identity as given by the host; null for nobody. The session and the pending events belong to it
   * alone.
   */
  readonly identity: string | null
  /** The session has been open before: in this client, or in the one whose session was taken over. */
  readonly known: boolean
  /** The server is asked whether the session is there before the next connection. */
  readonly doubting: boolean
  /** Sockets do not get through: the session is talked to over streams. */
  readonly streams: boolean
  readonly log: Log
  readonly outbox: readonly Pending[]
  /** Id of the pending event that was sent over this socket and has no answer yet. */
  readonly inFlight: string | null
  /** A message was refused for its rate: the next attempt waits. The count of such refusals in a row. */
  readonly throttled: number
  readonly holding: boolean
  /** A verified context was asked for over this connection, and what is to be sent waits for it. */
  readonly verifying: boolean
  /** Heartbeats in a row that nothing came after. */
  readonly silentBeats: number
  /**
   * The time of the last typing indicator for the live agent, milliseconds since the epoch; null while the visitor does
   * not type.
   */
  readonly typing: number | null
  readonly problem: Problem | null
}

/** Names of timers; each runs once at most at a time. */
export type TimerName =
  | 'retry'
  | 'deadline'
  | 'stable'
  | 'beat'
  | 'pong'
  | 'answer'
  | 'unthrottle'
  | 'typing'
  | 'typed'
  | 'verifying'

/** The reason why a request failed. */
export interface Refusal extends Problem {
  /** Milliseconds; null if the server did not say. */
  readonly retryAfter: number | null
}

/** Inputs of a client. */
export interface Inputs {
  /** Contents of the storage. */
  readonly start: {
    readonly session: Session | null
    readonly pending: readonly Pending[]
    /** Sockets did not get through lately. @default false */
    readonly streams?: boolean
    /** Identity to which they belong. @default null */
    readonly identity?: string | null
  }
  readonly token: { readonly attempt: number; readonly token: AccessToken }
  readonly session: { readonly attempt: number; readonly id: string }
  /** The server has the session that it was asked about. */
  readonly found: { readonly attempt: number }
  /** Another client of the same storage was first: its session is taken over. */
  readonly adopt: { readonly session: Session }
  readonly refused: { readonly attempt: number; readonly refusal: Refusal }
  /** The requested token; null if nobody is known, anything else if there was no answer. */
  readonly context: { readonly attempt: number; readonly token: unknown }
  readonly frame: { readonly attempt: number; readonly json: string }
  readonly closed: {
    readonly attempt: number
    readonly code: number
    readonly refusal: Refusal | null
    /** A sentence for a socket that was never open, where no refusal says more. */
    readonly problem?: string
  }
  readonly timer: { readonly name: TimerName }
  readonly network: { readonly online: boolean }
  /** The page is seen again, or the machine has woken. */
  readonly wake: object
  readonly join: { readonly id: string }
  readonly say: { readonly id: string; readonly text: string; readonly files?: readonly SentFile[] }
  readonly resend: { readonly id: string }
  readonly discard: { readonly id: string }
  readonly type: { readonly typing: boolean }
  readonly end: { readonly id: string }
  readonly reconnect: object
  /** A new session, whatever becomes of this one. */
  readonly renew: object
  /** The visitor has changed; null for nobody. */
  readonly identify: { readonly identity: string | null }
  /** Nothing of the visitor stays on the device. */
  readonly forget: object
  readonly destroy: object
}

export type InputType = keyof Inputs

/** One of them, and when it happened: milliseconds since the epoch. */
export type Input<Type extends InputType = InputType> = {
  readonly [Key in Type]: { readonly type: Key; readonly now: number } & Inputs[Key]
}[Type]

/** Actions for the shell. */
export type Effect =
  | { readonly type: 'get token'; readonly attempt: number }
  | {
      readonly type: 'create session'
      readonly attempt: number
      readonly token: AccessToken
      readonly identity: string | null
    }
  | { readonly type: 'ask session'; readonly attempt: number; readonly session: Session }
  | {
      readonly type: 'connect'
      readonly attempt: number
      readonly session: Session
      readonly cursor: number
      readonly streams: boolean
    }
  | { readonly type: 'keep to streams' }
  | { readonly type: 'store identity'; readonly identity: string | null }
  | {
      readonly type: 'get context'
      readonly attempt: number
      readonly contextId: string
      readonly identity: string | null
    }
  | { readonly type: 'transmit'; readonly frame: string }
  /** Cancels the socket or request in progress, if there is one. */
  | { readonly type: 'hang up' }
  /** Starts or restarts a timer. It ends at a random moment between both, milliseconds from now. */
  | { readonly type: 'set timer'; readonly name: TimerName; readonly min: number; readonly max: number }
  | { readonly type: 'clear timer'; readonly name: TimerName }
  | { readonly type: 'store session'; readonly session: Session }
  | { readonly type: 'forget session'; readonly id: string }
  | { readonly type: 'store pending'; readonly pending: Pending }
  | { readonly type: 'forget pending'; readonly id: string }
  | { readonly type: 'tell'; readonly event: ServerEvent }

/** Status of a conversation, as the visitor sees it. */
export type Status = 'idle' | 'connecting' | 'open' | 'reconnecting' | 'offline' | 'lost' | 'failed' | 'ended'

/** A conversation as it is shown. A new object whenever something in it has changed. */
export interface Conversation {
  /**
   * `offline`: the device reports no network. `lost`: connecting fails repeatedly; the client keeps trying, and
   * `reconnect`, a message or the network's return tries at once. `failed`: the server refuses a token or a session;
   * `problem` says why. `ended`: `endReason` says why.
   */
  readonly status: Status
  /** Messages of the log in its order, then pending and refused ones. */
  readonly messages: readonly Message[]
  /** The agent or live agent that serves the visitor now; null for no one. */
  readonly servedBy: Server | null
  /** The agent works on a reply. */
  readonly thinking: boolean
  /** The live agent types. */
  readonly typing: boolean
  /** Null while no live agent is wanted, and once one has come. */
  readonly handoff: Handoff | null
  readonly language: string | null
  /** Latest notice of the server apart from the messages; null after the visitor's next message. */
  readonly notice: Notice | null
  readonly endReason: EndReason | null
  readonly problem: Problem | null
  /** Longest text of a message, bytes of UTF-8. */
  readonly maxMessageBytes: number
  /** Files that the server takes from the visitor; null for none. */
  readonly takes: TakenFiles | null
}
