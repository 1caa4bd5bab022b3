import { wordsOf } from './words.ts'

/**
 * Options of recording. The platform needs `recordings.keep`. Nothing is recorded before there is consent, and what is
 * withdrawn is removed.
 */
export interface RecordingOptions {
  /**
   * `ask`: each call is recorded once its visitor consents. `announced`: each call is recorded from its beginning; the
   * host states that every visitor was told and has consented, such as by an announcement before the call.
   */
  readonly mode: 'ask' | 'announced'
  /**
   * The question that is spoken where nothing can be pressed on a screen: over Twilio and WebRTC. It must say how to
   * consent.
   *
   * @default calls over these lines are not asked, and so not recorded
   */
  readonly question?: string
  /** Words that consent, said alone, such as `['yes', 'yes please']`. @default none */
  readonly words?: readonly string[]
  /** Keys that consent. @default 1 */
  readonly keys?: string
  /** Keys with which a caller withdraws at any time, such as `*9`. @default none */
  readonly withdrawKeys?: string
}

/** The rules by which calls of a line are recorded. */
export interface ConsentRules {
  readonly mode: 'off' | 'ask' | 'announced'
  /** The question of a line without a screen. Null: a visitor's client shows it. */
  readonly aloud: {
    /** Null: it does not ask. */
    readonly question: string | null
    readonly isYes: (text: string) => boolean
    readonly keys: string
    readonly withdrawKeys: string | null
  } | null
}

export const NOT_RECORDED: ConsentRules = { mode: 'off', aloud: null }

const KEYS = /^[0-9*]{1,16}$/
const LONGEST_QUESTION = 1_000
const MOST_WORDS = 100

/** @throws TypeError for an option that does not fit */
function refuseUnfit({ keys = '1', mode, question = '?', withdrawKeys, words = [] }: RecordingOptions): void {
  if (!['ask', 'announced'].includes(mode))
    throw new TypeError('recording.mode is unknown. It must be ask or announced.')
  if (typeof question !== 'string' || question.trim() === '' || question.length > LONGEST_QUESTION)
    throw new TypeError(`recording.question must be words, at most ${LONGEST_QUESTION} characters.`)
  if (!Array.isArray(words) || words.length > MOST_WORDS || words.some(word => wordsOf(String(word)) === ''))
    throw new TypeError(`recording.words must be at most ${MOST_WORDS} texts with words.`)
  if (!KEYS.test(keys) || (withdrawKeys !== undefined && !KEYS.test(withdrawKeys)) || keys === withdrawKeys)
    throw new TypeError(
      'recording.keys and recording.withdrawKeys must be different, 1 to 16 of 0 to 9 and *.',
    )
}

/**
 * Returns the rules of lines with, or without, a screen.
 *
 * @throws TypeError for an option that does not fit
 */
export function consentRules(options: RecordingOptions | undefined, hasScreen: boolean): ConsentRules {
  if (options === undefined) return NOT_RECORDED
  refuseUnfit(options)
  const { keys = '1', mode, question = null, withdrawKeys = null, words = [] } = options
  const known = new Set(words.map(wordsOf))
  const isYes = (text: string): boolean => known.has(wordsOf(text))
  return { mode, aloud: hasScreen ? null : { question, isYes, keys, withdrawKeys } }
}

/**
 * `none`: nothing is recorded. `asked`: nothing is recorded yet. `given`: the call is recorded. `stopped`: what was
 * recorded could be kept no further.
 */
export type ConsentState = 'none' | 'asked' | 'given' | 'stopped'

/** The ways in which the answer to the question comes. */
export type ConsentEvent =
  | { readonly type: 'begin' }
  | { readonly type: 'button'; readonly consent: boolean }
  | { readonly type: 'words'; readonly text: string }
  | { readonly type: 'keys'; readonly digits: string }
  /** The recording can go on no longer. */
  | { readonly type: 'failed' }

/** A decision. */
export interface ConsentStep {
  readonly state: ConsentState
  /** Begins a recording with that consent, or ends and removes what was kept. Null for neither. */
  readonly act: 'button' | 'key' | 'words' | 'host' | 'withdraw' | null
  /** It was the answer to the question: nobody else gets it. */
  readonly isAnswer: boolean
}

const step = (state: ConsentState, act: ConsentStep['act'] = null, isAnswer = false): ConsentStep => ({
  ...{ state, act, isAnswer },
})

/** Decides what an event means for the recording of a call (VG120 to VG122). */
export function stepConsent(
  { aloud, mode }: ConsentRules,
  state: ConsentState,
  event: ConsentEvent,
): ConsentStep {
  if (mode === 'off') return step('none')
  switch (event.type) {
    case 'begin':
      if (mode === 'announced') return step('given', 'host')
      return step(aloud === null || aloud.question !== null ? 'asked' : 'none')
    case 'button':
      if (aloud !== null) return step(state)
      if (event.consent) return state === 'given' ? step(state) : step('given', 'button')
      // Also of an earlier line of the call nothing stays.
      return step('none', state === 'none' ? null : 'withdraw')
    case 'words':
      if (aloud === null || state !== 'asked') return step(state)
      return aloud.isYes(event.text) ? step('given', 'words', true) : step('none')
    case 'keys': {
      if (aloud === null) return step(state)
      const keys = event.digits.replace(/#$/, '')
      if ((state === 'given' || state === 'stopped') && keys === aloud.withdrawKeys)
        return step('none', 'withdraw', true)
      if (state !== 'asked') return step(state)
      return keys === aloud.keys ? step('given', 'key', true) : step('none')
    }
    case 'failed':
      return step(state === 'given' ? 'stopped' : state)
  }
}
