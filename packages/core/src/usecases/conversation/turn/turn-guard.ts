import { GUARD_NODE } from '../../../domain/guard/guard-verdict.ts'
import type { AgentContent } from '../../../ports/agent-runtime.ts'
import type { Guard } from '../../../ports/guard.ts'
import type { Context } from '../../context.ts'
import { type JudgedTurn, judgeWords } from './judge-words.ts'
import type { TurnCollector } from './turn-collector.ts'
import type { LoadedInput } from './turn-input.ts'

const NONE: readonly never[] = []

/** Returns what a platform with a guard does in one attempt at a turn. Null without a guard. */
export const guardOf = (
  context: Context,
  turn: Pick<JudgedTurn, 'state' | 'callOff'>,
  collector: TurnCollector,
): TurnGuard | null =>
  context.guard === null ? null : new TurnGuard(context, context.guard, turn, collector)

/** Judges the message and the reply of one attempt at a turn (GU1 to GU6). */
export class TurnGuard {
  readonly #context: Context
  readonly #guard: Guard
  readonly #turn: Pick<JudgedTurn, 'state' | 'callOff'>
  readonly #collector: TurnCollector
  #language = ''
  #read: string | undefined
  /** True while the guard has not answered: an error is its own then. */
  isAsked = false
  /** True if the guard answers the message, and its words are not judged again. */
  #hasAnswered = false

  constructor(
    context: Context,
    guard: Guard,
    turn: Pick<JudgedTurn, 'state' | 'callOff'>,
    collector: TurnCollector,
  ) {
    this.#context = context
    this.#guard = guard
    this.#turn = turn
    this.#collector = collector
  }

  /**
   * Returns the part of the turn's result that later turns need: the text that the agent reads in place of the message
   * (GU5).
   */
  get kept(): { readonly read?: string } {
    return this.#read === undefined ? {} : { read: this.#read }
  }

  /** Returns the input as the agent reads it. Null if the guard answers it instead (GU2). @throws AGENT_FAILED */
  async input(loaded: LoadedInput, content: AgentContent): Promise<LoadedInput | null> {
    const { input, text } = loaded
    this.#language = this.#turn.state.record.language ?? content.responseSettings.languageCode
    if (input.type !== 'message' || text.trim() === '') return loaded
    // Whatever keeps the guard from its verdict: the agent does not read the message later.
    this.#read = ''
    const given = await this.#judge({ direction: 'incoming', text, beside: NONE })
    switch (given.verdict) {
      case 'allow':
        this.#read = undefined
        return loaded
      case 'change':
        this.#read = given.text
        return { ...loaded, input: { ...input, text: given.text }, text: given.text }
      default:
        this.#hasAnswered = true
        return null
    }
  }

  /** Judges the whole reply before any of it is stored or shown; returns its text (GU3). @throws AGENT_FAILED */
  async reply(): Promise<string> {
    const { beside, text } = this.#collector.shown
    if (!this.#hasAnswered && (text.trim() !== '' || beside.length > 0))
      await this.#judge({ direction: 'outgoing', text, beside })
    return this.#collector.shown.text
  }

  async #judge(words: Parameters<typeof judgeWords>[3]) {
    this.isAsked = true
    const turn = { ...this.#turn, language: this.#language }
    const given = await judgeWords(this.#context, this.#guard, turn, words)
    this.isAsked = false
    if (given.verdict === 'allow') return given
    this.#collector.add({ type: 'node', name: `${GUARD_NODE}${words.direction}:${given.verdict}` })
    if (words.direction === 'outgoing' || given.verdict !== 'change') this.#collector.judged(given)
    return given
  }
}
