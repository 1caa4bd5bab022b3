import { refuseNumbers, refuseUnknown } from '@colloquy/core'
import { levelOf, WINDOW_MS } from '../audio/pcm.ts'
import type { TurnDetector, Verdict } from '../ports/turn-detector.ts'

/** Options of the energy gate. Times are milliseconds. */
export interface EnergyDetectorOptions {
  /** Silence that ends an utterance. @default 500 */
  readonly silence?: number
  /** Silence that ends an utterance whose words seem unfinished. @default 3000 */
  readonly longestSilence?: number
  /** The least ratio of a voice's level to that of the noise. @default 2.5 */
  readonly ratio?: number
  /** The lowest level of a voice, as root mean square of 16-bit samples. @default 250 */
  readonly minLevel?: number
  /** Returns true for words after which more will come. @default those that end with a comma, a dash or dots */
  readonly unfinished?: (partial: string) => boolean
}

/** The state of an energy gate. */
export interface EnergyState {
  /** The lowest levels of the newest blocks, oldest first. The lowest of all is the noise. */
  readonly blocks: readonly number[]
  /** Windows of the newest block. */
  readonly windows: number
  /** Voice of the utterance, and the silence after it. Null while nobody speaks. */
  readonly utterance: { readonly voicedMs: number; readonly quietMs: number } | null
}

/** A block has 500 milliseconds. Six of them outlast every vowel, and a lasting noise is known after them. */
const BLOCK = { windows: 25, kept: 6 }

const UNFINISHED = /[,–—…-]$|\.\.$/u

const SILENCE: Verdict = { kind: 'silence', voicedMs: 0, quietMs: 0 }

/** The blocks with one more level. */
function noted(state: EnergyState, level: number): Pick<EnergyState, 'blocks' | 'windows'> {
  if (state.windows >= BLOCK.windows)
    return { blocks: [...state.blocks, level].slice(-BLOCK.kept), windows: 1 }
  const newest = Math.min(state.blocks.at(-1) ?? level, level)
  return { blocks: [...state.blocks.slice(0, -1), newest], windows: state.windows + 1 }
}

const NUMBERS = {
  ...{ silence: { least: 1 }, longestSilence: { least: 1 } },
  ...{ ratio: { least: 1, isShare: true }, minLevel: { least: 0, isShare: true } },
}

const OPTIONS = [...Object.keys(NUMBERS), 'unfinished']

/**
 * Tells speech from silence by its energy: a window louder than the noise, which is the lowest level of the last three
 * seconds. It needs nothing else, knows no words, and takes other voices in the room for the visitor's.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option, and a number outside its range (EM4)
 */
export function createEnergyDetector(options: EnergyDetectorOptions = {}): TurnDetector<EnergyState> {
  refuseUnknown('createEnergyDetector', options, OPTIONS)
  refuseNumbers(options, NUMBERS)
  const { silence = 500, longestSilence = 3_000, ratio = 2.5, minLevel = 250 } = options
  const unfinished = options.unfinished ?? (partial => UNFINISHED.test(partial.trimEnd()))
  return {
    initial: { blocks: [], windows: 0, utterance: null },
    observe(state, { samples, partial }) {
      const level = levelOf(samples)
      // Speech from the first window on would be its own noise: three seconds are needed to tell.
      const noise = state.blocks.length < BLOCK.kept ? 0 : Math.min(...state.blocks)
      const isVoice = level >= Math.max(minLevel, noise * ratio)
      const next = noted(state, level)
      const before = state.utterance
      if (before === null && !isVoice) return [{ ...next, utterance: null }, SILENCE]
      const voicedMs = (before?.voicedMs ?? 0) + (isVoice ? WINDOW_MS : 0)
      const quietMs = isVoice ? 0 : (before?.quietMs ?? 0) + WINDOW_MS
      const isOver = quietMs >= (unfinished(partial) ? longestSilence : silence)
      const utterance = { voicedMs, quietMs }
      if (isOver)
        return [
          { ...next, utterance: null },
          { kind: 'end', ...utterance },
        ]
      return [
        { ...next, utterance },
        { kind: 'speech', ...utterance },
      ]
    },
  }
}
