import type { Clock } from '@colloquy/core'
import type { AdmittedCall, HandshakeRefusal, Messaging, Shares } from '@colloquy/core/transport'
import type { PeerConnection, PeerPort } from '@colloquy/ws-transport/endpoints'
import { type CallLine, type CallParts, openCall } from '../call/call.ts'
import { MediaCall, type MediaParts } from './media-call.ts'
import { readOffer } from './offer-sdp.ts'
import { type Offer, readSignal, type SignalProblem } from './signal.ts'
import {
  initialSignal,
  type SignalAction,
  type SignalEvent,
  type SignalLimits,
  type SignalState,
  stepSignal,
} from './signal-state.ts'

/** The parts of a gateway that signalling sockets share. */
export interface SignalParts extends MediaParts {
  readonly clock: Clock
  readonly limits: SignalLimits
  readonly calls: CallParts
  readonly messaging: Pick<Messaging, 'admitCall'>
  readonly allowEcho: boolean
  /** The time that a call waits for the session that names it, milliseconds. */
  readonly link: number
  readonly uuid: () => string
  /** The places of calls, by account. */
  readonly places: Shares
  /** The calls that have an answer. */
  readonly open: Set<SignalSocket>
}

/** The client of a signalling socket. */
export interface SignalClient {
  readonly origin: string | null
  readonly remoteAddress: string
}

/** The pause between two looks for the session of a call, milliseconds. */
const LOOK = 100

const problem = (code: SignalProblem['code'], message: string): SignalProblem => ({ code, message })

const ECHO = problem('FORBIDDEN', 'The mode echo is not allowed on this server.')
const BROKEN = problem('HANDLER_ERROR', 'The offer could not be handled. Try again later.')
const FULL = problem('HANDLER_ERROR', 'too many calls')
const NO_MEDIA = problem('MEDIA_BRIDGE_FAILURE', 'The server cannot take audio now. Try again later.')

const refusalProblem = ({ message, status }: HandshakeRefusal): SignalProblem =>
  problem(status === 401 ? 'UNAUTHORIZED' : status === 403 ? 'FORBIDDEN' : 'HANDLER_ERROR', message)

/** Accounts do not trust each other: an offer that names another account or agent than its token is refused. */
const isForeign = ({ accountId, projectId }: Offer, admitted: AdmittedCall): boolean =>
  (!!accountId && accountId !== admitted.accountId) || (!!projectId && projectId !== admitted.agentId)

/** The shell around a signalling socket's decisions. It outlives its socket while the call has audio. */
export class SignalSocket implements PeerConnection {
  readonly #parts: SignalParts
  readonly #client: SignalClient
  readonly #port: PeerPort
  readonly #left: () => void
  #state: SignalState
  #media: MediaCall | null = null
  #taking: Promise<void> = Promise.resolve()
  #isLost = false
  #stopClock = (): void => {}
  readonly #queue: SignalEvent[] = []
  #isStepping = false

  /** @param left called when the socket has a call, or is gone */
  constructor(parts: SignalParts, client: SignalClient, port: PeerPort, left: () => void) {
    this.#parts = parts
    this.#client = client
    this.#port = port
    this.#left = left
    this.#state = initialSignal(parts.limits, parts.clock.monotonic())
    this.#schedule()
  }

  receive(text: string): boolean {
    this.#tell({ type: 'frame', frame: readSignal(text), now: this.#now })
    return true
  }

  closed(): void {
    this.#isLost = true
    this.#tell({ type: 'lost', now: this.#now })
    this.#left()
    this.#leave()
  }

  async settled(): Promise<void> {
    await this.#taking
    await this.#media?.settled()
  }

  /** The server goes away. */
  abort(): void {
    this.#media?.abort()
  }

  get #now(): number {
    return this.#parts.clock.monotonic()
  }

  /** Steps the state. What is told while an action is carried out waits its turn. */
  #tell(event: SignalEvent): void {
    this.#queue.push(event)
    if (this.#isStepping) return
    this.#isStepping = true
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        const [state, actions] = stepSignal(this.#parts.limits, this.#state, next)
        this.#state = state
        for (const action of actions) this.#act(action)
      }
    } finally {
      this.#isStepping = false
    }
    this.#schedule()
  }

  #schedule(): void {
    this.#stopClock()
    const { deadline } = this.#state
    if (deadline === null) return
    const wait = Math.max(0, deadline - this.#now)
    this.#stopClock = this.#parts.clock.schedule(wait, () => this.#tell({ type: 'tick', now: this.#now }))
  }

  #act(action: SignalAction): void {
    switch (action.type) {
      case 'send':
        if (!this.#isLost) this.#port.send(JSON.stringify(action.frame), 0, false)
        break
      case 'take':
        this.#taking = this.#take(action.offer).catch(error => {
          this.#parts.onError(error, 'voice webrtc')
          this.#refuse(BROKEN)
        })
        break
      case 'hang up':
        this.#media?.stop(null)
        break
      case 'close':
        if (!this.#isLost) this.#port.close(action.code, action.reason)
        break
    }
  }

  #refuse(refused: SignalProblem): void {
    this.#tell({ type: 'refused', problem: refused, now: this.#now })
  }

  async #take(offer: Offer): Promise<void> {
    const { allowEcho, messaging, places } = this.#parts
    if (offer.mode === 'echo' && !allowEcho) return this.#refuse(ECHO)
    const read = readOffer(offer.data.sdp)
    const admitted = await messaging.admitCall({ connectorToken: offer.authToken, ...this.#client })
    if ('status' in admitted) return this.#refuse(refusalProblem(admitted))
    if (isForeign(offer, admitted))
      return this.#refuse(problem('FORBIDDEN', 'The token is for another account or agent.'))
    if ('problem' in read) return this.#refuse(problem('INVALID_ARGUMENT', read.problem))
    // The client may have left meanwhile.
    if (this.#state.phase !== 'taking') return
    const leave = places.take(admitted.accountId)
    if (leave === null) return this.#refuse(FULL)
    await this.#answer(admitted, offer, read.sdp, leave).catch(error => {
      leave()
      throw error
    })
  }

  /** @param leave gives the place of the call back */
  async #answer(admitted: AdmittedCall, offer: Offer, sdp: string, leave: () => void): Promise<void> {
    const media = new MediaCall(
      this.#parts,
      {
        connected: () => this.#tell({ type: 'connected', now: this.#now }),
        ended: why => {
          leave()
          this.#ended(media, why)
        },
      },
      offer.mode === 'echo' ? null : line => this.#callOf(admitted, offer, line),
    )
    const answer = await media.answer(sdp).catch((error: unknown) => ({ error }))
    if ('error' in answer) {
      media.abort()
      const isTheirs = answer.error instanceof TypeError
      if (!isTheirs) this.#parts.onError(answer.error, 'voice webrtc')
      return this.#refuse(
        isTheirs ? problem('INVALID_ARGUMENT', 'The field data.sdp cannot be answered.') : NO_MEDIA,
      )
    }
    this.#media = media
    this.#parts.open.add(this)
    this.#left()
    this.#tell({ type: 'answered', sessionId: this.#parts.uuid(), ...answer, now: this.#now })
  }

  async #callOf(admitted: AdmittedCall, { callSid }: Offer, line: CallLine) {
    const linked = callSid ? await this.#linked(admitted, callSid) : null
    const handshake = linked ?? (await admitted.open())
    if ('status' in handshake)
      throw new Error(`The session of a call cannot be opened: ${handshake.message}.`)
    return openCall(this.#parts.calls, handshake, line, linked === null ? { ends: 'with its line' } : {})
  }

  /** Looks for the session that names the call. Its client may do so a moment after the offer. */
  async #linked(admitted: AdmittedCall, callSid: string) {
    const { clock, link } = this.#parts
    for (const until = this.#now + link; ; ) {
      const linked = await admitted.openLinked(callSid)
      if (linked !== null || this.#now >= until) return linked
      await new Promise<void>(resolve => clock.schedule(LOOK, resolve))
    }
  }

  #ended(media: MediaCall, why: SignalProblem | null): void {
    if (this.#media !== media) return
    this.#media = null
    this.#parts.open.delete(this)
    this.#tell({ type: 'ended', problem: why, now: this.#now })
    this.#leave()
  }

  #leave(): void {
    if (this.#isLost && this.#media === null) this.#stopClock()
  }
}
