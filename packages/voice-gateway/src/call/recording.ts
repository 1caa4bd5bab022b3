import type { Clock, ConsentWay } from '@colloquy/core'
import type { CallRecorder, KeptRecording } from '@colloquy/core/transport'
import { samplesOf, UP_BYTES } from '../audio/pcm.ts'
import { createStereo, RECORDED_SAMPLES } from '../audio/stereo.ts'
import {
  type Anchor,
  type ArrivedSound,
  anchorAfter,
  HELD_MS,
  placeAgent,
  SETTLED_MS,
} from '../domain/placing.ts'
import type { HeardSound } from './agent-sound.ts'

/** The parts that a recording needs. */
export interface RecordingParts {
  readonly recorder: CallRecorder
  readonly clock: Clock
  readonly onError: (error: unknown, where: string) => void
  /** It has failed, or has no more room: nothing more is kept. */
  readonly given: (reason: 'full' | 'failed') => void
  /** Resolves when what an earlier recording has asked for is done: a withdrawal removes all that was kept before. */
  readonly after: Promise<unknown>
}

/** Parts that may wait for the store. With more of them it is too slow, and the recording has failed. */
const MOST_WAITING = 4

/** Windows of sound that wait until it is known where they belong. */
const MOST_SETTLING = 500

/** Attempts to remove what was kept, and the pause before the second one, milliseconds: each is doubled. */
const ATTEMPTS = 6
const RETRY_MS = 1_000

/** Removes what was kept of a conversation's calls, also if that takes several attempts. */
export async function removeKept({
  clock,
  onError,
  recorder,
}: Pick<RecordingParts, 'clock' | 'onError' | 'recorder'>): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      await recorder.withdraw()
      return
    } catch (error) {
      onError(error, 'voice recording withdrawal')
      await new Promise<void>(resolve => clock.schedule(RETRY_MS * 2 ** (attempt - 1), resolve))
    }
  }
}

/**
 * Records a call over one line, from its consent on (VG123 to VG126): what the visitor says when they said it, and what
 * the agent says when the visitor heard it. Its memory is that of some seconds, whatever the line and the store do.
 */
export class Recording {
  readonly #parts: RecordingParts
  readonly #startedAt: number
  readonly #stereo = createStereo()
  #anchor: Anchor = null
  #settling: (ArrivedSound & { readonly bytes: Uint8Array })[] = []
  /** The end of the agent's newest sound, milliseconds. */
  #cursor = Number.NEGATIVE_INFINITY
  #waiting = 0
  #isOver = false
  /** Everything that was asked of the recorder, in order. */
  #chain: Promise<void>
  #kept: KeptRecording | null = null

  constructor(parts: RecordingParts, call: string, how: ConsentWay) {
    const { after, clock, recorder } = parts
    this.#parts = parts
    this.#startedAt = clock.monotonic()
    const at = clock.now()
    const consent = { by: how === 'host' ? 'host' : 'visitor', how, at } as const
    this.#chain = after
      .then(() => recorder.begin({ call, at, consent }))
      .then(
        kept => {
          this.#kept = kept
          if (kept === null) this.#giveUp('full')
        },
        error => this.#fail(error),
      )
  }

  get #now(): number {
    return this.#parts.clock.monotonic() - this.#startedAt
  }

  /** Sound of the visitor, which ends at that position of the call. */
  heard(bytes: Uint8Array, toMs: number): void {
    if (this.#isOver) return
    const arrived = { ms: bytes.byteLength / UP_BYTES, now: this.#now, toMs }
    const isPlaced = this.#anchor !== null && this.#settling.length === 0
    this.#anchor = anchorAfter(this.#anchor, arrived)
    if (isPlaced) this.#place(this.#anchor, bytes, toMs)
    else this.#settling.push({ bytes, ...arrived })
    this.#settle(SETTLED_MS)
  }

  /** Positions stood still, or will. */
  paused(): void {
    this.#settle(0)
    this.#anchor = null
  }

  /** Sound of the agent was heard, and its end is now. */
  agent({ isFirst, ms, samples }: HeardSound): void {
    if (this.#isOver) return
    const { at, skip } = placeAgent(this.#cursor, { ms, isFirst, now: this.#now })
    this.#cursor = at + ms
    this.#write('agent', at + skip, samples.subarray(Math.round(skip * RECORDED_SAMPLES)))
  }

  /** Lets go of the parts that nothing changes any more. */
  tick(): void {
    if (this.#isOver) return
    this.#settle(SETTLED_MS)
    for (const part of this.#stereo.take((this.#now - HELD_MS) * RECORDED_SAMPLES)) this.#keep(part)
  }

  /** The line is closed. */
  end(): void {
    if (this.#isOver) return
    this.#settle(0)
    const parts = this.#stereo.takeAll(Math.round(this.#now * RECORDED_SAMPLES))
    for (const part of parts) this.#keep(part)
    if (this.#isOver) return
    this.#isOver = true
    this.#then(async kept => kept.end('complete'))
  }

  /** The visitor no longer consents: nothing of the conversation's recordings is left. */
  withdraw(): void {
    this.#isOver = true
    this.#chain = this.#chain.then(() => removeKept(this.#parts))
  }

  /** Resolves when everything so far is kept, or has failed. */
  async settled(): Promise<void> {
    await this.#chain
  }

  /** Places what has arrived first, once it is known where. */
  #settle(after: number): void {
    const [first] = this.#settling
    if (first === undefined || this.#anchor === null) return
    if (this.#now - first.now < after && this.#settling.length < MOST_SETTLING) return
    for (const { bytes, toMs } of this.#settling) this.#place(this.#anchor, bytes, toMs)
    this.#settling = []
  }

  #place(anchor: number, bytes: Uint8Array, toMs: number): void {
    this.#write('visitor', anchor + toMs - bytes.byteLength / UP_BYTES, samplesOf(bytes))
  }

  /** Writes sound, but what was before the consent. */
  #write(side: 'visitor' | 'agent', atMs: number, samples: Int16Array): void {
    const at = Math.round(atMs * RECORDED_SAMPLES)
    const before = Math.min(samples.length, Math.max(0, -at))
    this.#stereo.write(side, at + before, samples.subarray(before))
  }

  #keep(part: Uint8Array): void {
    if (this.#isOver) return
    if (this.#waiting >= MOST_WAITING) {
      this.#fail(new Error('The sound of a call cannot be kept as fast as it comes.'))
      return
    }
    this.#waiting++
    this.#then(async kept => {
      const result = await kept.keep(part)
      this.#waiting--
      if (result === 'full') this.#giveUp('full')
      else if (result === 'gone') this.#giveUp('failed')
    })
  }

  #then(act: (kept: KeptRecording) => Promise<void>): void {
    this.#chain = this.#chain
      .then(async () => {
        const kept = this.#kept
        if (kept !== null) await act(kept)
      })
      .catch(error => this.#fail(error))
  }

  #fail(error: unknown): void {
    this.#parts.onError(error, 'voice recording')
    this.#giveUp('failed')
  }

  /** The call goes on without it. What was kept stays, and the record says why there is no more. */
  #giveUp(reason: 'full' | 'failed'): void {
    const kept = this.#kept
    this.#kept = null
    const wasOver = this.#isOver
    this.#isOver = true
    if (kept !== null) void kept.end(reason).catch(error => this.#parts.onError(error, 'voice recording end'))
    if (!wasOver) this.#parts.given(reason)
  }
}
