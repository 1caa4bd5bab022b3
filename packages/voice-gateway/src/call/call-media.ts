import type { CallRecorder } from '@colloquy/core/transport'
import { samplesOf } from '../audio/pcm.ts'
import type { CallAction, CallState, Told } from '../domain/call-state.ts'
import type { Mark } from '../domain/frames.ts'
import { unheardMs } from '../domain/playback.ts'
import type { CallLine, CallParts } from './call.ts'
import { CallSound } from './call-sound.ts'
import { Listening } from './listening.ts'
import { Speaking, type SpeakingListener } from './speaking.ts'

/** The call that the sound is of. */
interface MediaOwner {
  /** Null before the call has begun, and after its end. */
  state(): CallState | null
  tell(event: Told): void
  /** Null if the host keeps no recordings. */
  recorder(): CallRecorder | null
}

/** A decision of a call about its sound. */
type MediaAction = Extract<
  CallAction,
  { readonly type: 'record' | 'open' | 'end' | 'drop' | 'speak' | 'hush' }
>

/** The sound of one call over one line: it is heard, spoken and recorded. */
export class CallMedia {
  /** The language of both sides. */
  language: string | null = null
  readonly listening: Listening
  readonly sound: CallSound
  readonly #parts: CallParts
  readonly #line: CallLine
  readonly #owner: MediaOwner
  readonly #speaking: Speaking
  #isMuted = false

  constructor(parts: CallParts, line: CallLine, owner: MediaOwner) {
    this.#parts = parts
    this.#line = line
    this.#owner = owner
    const { clock, deadlines, onError, rules, speaker, transcriber } = parts
    this.sound = new CallSound({ clock, onError, isOff: rules.consent.mode === 'off' }, reason =>
      owner.tell({ type: 'unrecorded', reason }),
    )
    const mouth = { speaker, clock, deadline: deadlines.speech, longest: deadlines.sentence }
    this.#speaking = new Speaking(mouth, this.#sayer())
    this.listening = new Listening({ transcriber, clock, deadline: deadlines.transcription }, (bytes, toMs) =>
      this.#window(bytes, toMs),
    )
  }

  /** The next audio begins there. Returns false if that goes back. */
  from(atMs: number): boolean {
    if (atMs < this.listening.positionMs) return false
    this.listening.from(atMs)
    return true
  }

  hear(bytes: Uint8Array): void {
    if (!this.#isMuted) this.listening.hear(bytes)
  }

  mute(muted: boolean): void {
    this.#isMuted = muted
    this.sound.paused()
    this.#owner.tell({ type: 'mute', muted })
  }

  played(mark: Mark): void {
    this.sound.played(mark)
    this.#owner.tell({ type: 'mark', mark })
    this.#speaking.played()
  }

  act(action: MediaAction): void {
    switch (action.type) {
      case 'record':
        this.#record(action.act)
        break
      case 'open':
        this.#open(action)
        break
      case 'end':
        this.listening.end(action.id)
        break
      case 'drop':
        this.listening.drop(action.id)
        break
      case 'speak':
        this.#speaking.speak(action.piece, this.language)
        break
      case 'hush':
        this.#speaking.hush()
        break
    }
  }

  /** Lets go of everything. */
  end(): void {
    this.#speaking.hush()
    this.listening.close()
    this.sound.end()
    this.#speaking.played()
  }

  #window(bytes: Uint8Array, toMs: number): void {
    const { utterance = null } = this.#owner.state() ?? {}
    if (utterance !== null) this.listening.write(utterance.id, bytes)
    this.sound.heard(bytes, toMs)
    this.#owner.tell({ type: 'window', samples: samplesOf(bytes), toMs })
  }

  #record(act: Extract<MediaAction, { type: 'record' }>['act']): void {
    const recorder = this.#owner.recorder()
    if (act === 'withdraw') this.sound.withdraw(recorder)
    else this.sound.record(recorder, this.#owner.state()?.call ?? '', act)
  }

  #open({ fromMs, id }: Extract<MediaAction, { type: 'open' }>): void {
    const { tell } = this.#owner
    this.listening.open({ id, fromMs }, this.language, {
      partial: text => tell({ type: 'partial', id, text }),
      endOfTurn: () => tell({ type: 'end of turn', id }),
      words: (text, error) => {
        if (error !== null) this.#parts.onError(error, 'voice transcriber')
        tell({ type: 'words', id, text, failed: error !== null })
      },
    })
  }

  #sayer(): SpeakingListener {
    const { onError, rules } = this.#parts
    const { state, tell } = this.#owner
    return {
      begin: ({ by, fromMs, id, messageId: message_id, text }) => {
        this.sound.begins(id, fromMs)
        this.#line.send({ type: 'audio.begin', id, message_id, text, by, from_ms: Math.round(fromMs) })
      },
      sound: ({ id }, bytes, ms) => {
        this.sound.sent(bytes)
        this.#line.sound(bytes)
        tell({ type: 'sound', id, ms })
      },
      spoken: ({ id }, error) => {
        if (error !== null) onError(error, 'voice speaker')
        tell({ type: 'spoken', id, failed: error !== null })
      },
      isFull: () => {
        const now = state()
        return now !== null && unheardMs(now.playback) >= rules.limits.ahead
      },
    }
  }
}
