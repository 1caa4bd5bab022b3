import type { ConversationId } from '../../domain/ids.ts'

/** A transport's side of one visitor's connection. */
export interface ConnectionPort {
  /** Sends one text frame. */
  send(frame: string): void
  /** Closes with a code of decisions.md section 8, Time. */
  close(code: number, reason: string): void
}

/** The platform's side of one visitor's connection. */
export interface Connection {
  readonly id: string
  /** Takes one text frame of the visitor. Frames are handled in the order in which they came. */
  receive(frame: string): void
  /** The connection is gone. Frames that were received before still take effect. */
  closed(): void
  /** Resolves when every frame received so far has been handled. */
  settled(): Promise<void>
}

/** Why a handshake is refused: HTTP status and text of decisions.md section 8, HTTP. */
export interface HandshakeRefusal {
  readonly status: 400 | 401 | 404 | 429
  readonly message: string
}

/** A visitor's connection that may be opened: everything about the handshake was checked. */
export interface Handshake {
  readonly sessionId: ConversationId
  /** Opens it: the transport's socket is ready to send. The first frame is the replay. */
  open(port: ConnectionPort): Connection
  /** The socket never opened: gives the place back. */
  abandon(): void
}

/** Real-time conversations of visitors (platform-api.md, Messaging). */
export interface Messaging {
  /** @throws MESSAGING_* errors with the texts of decisions.md section 8 */
  issueAccessToken(input: {
    readonly connectorToken: string | null
    readonly host: string | null
    readonly remoteAddress: string
  }): Promise<{ readonly accessToken: string; readonly expiresIn: number }>
  createSession(input: {
    readonly authorization: string | null
    readonly streaming: boolean
  }): Promise<{ readonly sessionId: ConversationId }>
  /** Checks session id, access token and number of connections; a free place is taken until `open` or `abandon`. */
  handshake(input: {
    readonly sessionId: string | null
    readonly accessToken: string | null
    readonly cursor: string | null
  }): Promise<Handshake | HandshakeRefusal>
}
