import type { CallLimits } from './call-state.ts'
import { wordsOf } from './words.ts'

/** Options of calls. Times are milliseconds. */
export interface CallOptions {
  /** Voice that stops the agent; shorter bursts change nothing. @default 300 */
  readonly bargeIn?: number
  /** The longest utterance. It ends there, and the next one begins. @default 60000 */
  readonly longestUtterance?: number
  /** From the end of an utterance to its words. @default 10000 */
  readonly transcriptionDeadline?: number
  /** The time limit for the next audio of a sentence. @default 10000 */
  readonly speechDeadline?: number
  /** Audio of a sentence; what is longer is left out. @default 120000 */
  readonly longestSentence?: number
  /** Audio that a client may have without having played it. @default 20000 */
  readonly ahead?: number
  /** The longest time without playback while audio waits. Then the call ends. @default 30000 */
  readonly stall?: number
  /** The longest time in which nobody speaks. Then the call ends. @default 120000 */
  readonly silence?: number
  /**
   * The silence of the visitor that is a turn of its own, which the agent answers, such as 8000.
   * @default none: the agent waits until the visitor speaks
   */
  readonly silentTurn?: number
  /** Silent turns in a row. After them, one silence more ends the call. @default 3 */
  readonly silentTurns?: number
  /** The longest call. @default 3600000 */
  readonly longestCall?: number
  /**
   * Words that only say that somebody listens: said alone, they do not stop the agent.
   * @default uh-huh, mm-hmm, hmm, mhm, aha, uh, um, äh, ähm, hm
   */
  readonly fillers?: readonly string[]
}

const FILLERS = [
  'uh-huh',
  'uh huh',
  'mm-hmm',
  'mm hmm',
  'hmm',
  'mhm',
  'aha',
  'uh',
  'um',
  'äh',
  'ähm',
  'hm',
  'mm',
]

/** Times of a call that no host sets. */
const FIXED = { shortestVoice: 100, clearance: 1_000 }

/** Returns the rules' part of the options, with defaults. */
export function limitsOf(options: CallOptions): CallLimits {
  return {
    ...FIXED,
    bargeIn: options.bargeIn ?? 300,
    longestUtterance: options.longestUtterance ?? 60_000,
    transcription: options.transcriptionDeadline ?? 10_000,
    ahead: options.ahead ?? 20_000,
    stall: options.stall ?? 30_000,
    silence: options.silence ?? 120_000,
    silentTurn: options.silentTurn ?? 0,
    silentTurns: options.silentTurns ?? 3,
    call: options.longestCall ?? 3_600_000,
  }
}

/** Returns whether a text is a filler and nothing else. */
export function fillerTest({ fillers = FILLERS }: CallOptions): (text: string) => boolean {
  const known = new Set(fillers.map(wordsOf))
  return text => known.has(wordsOf(text))
}
