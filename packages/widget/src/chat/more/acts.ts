import type { Acts, Model } from '../model.ts'
import type { Shell } from '../shell.ts'
import { offer } from './device.ts'
import { type Past, pastOf, readPast, withPast } from './past.ts'
import { transcriptOf } from './transcript.ts'

/** All acts of a visitor. */
export interface AllActs extends Acts {
  agree(): void
  ask(what: Model['asking']): void
  /** Does what the visitor was asked to confirm. */
  confirm(): void
  download(): void
  /** Sets the score of the rating. */
  rate(score: number): void
  /** Adds a comment to the rating. */
  comment(words: string): void
  /** Sends a failed rating again. */
  rateAgain(): void
  openHistory(): void
  choose(past: Past | null): void
  clearHistory(): void
  /** Back to the conversation. */
  back(): void
  /** Stores the conversation on the device, next to earlier ones. */
  keep(): void
}

export function createActs(shell: Shell): Omit<AllActs, keyof Acts> {
  const { change, memory, name } = shell
  const key = `${name}.past`

  /** An answer to a rating that was changed meanwhile says nothing. */
  async function rate(score: number, comment: string): Promise<void> {
    const asked = { score, comment, state: 'sending' } as const
    const settle = (state: 'done' | 'failed'): void => {
      if (shell.model.rating === asked) change({ rating: { ...asked, state } })
    }
    change({ rating: asked })
    try {
      await shell.chat.rate(score, comment)
      settle('done')
      shell.tell('rating', { score, comment })
    } catch {
      settle('failed')
    }
  }

  const acts = {
    agree() {
      memory.write(`${name}.consent`, shell.model.consent)
      change({ consent: null })
      shell.begin()
      shell.focus()
    },
    ask: (asking: Model['asking']) => change({ asking, menu: false }),
    confirm() {
      const { asking } = shell.model
      change({ asking: null })
      if (asking === 'end') shell.chat.end()
      else shell.renew()
    },
    download() {
      const { conversation, title, words } = shell.model
      change({ menu: false })
      offer(`${title ?? 'chat'}.txt`, transcriptOf(conversation, words))
    },
    rate: (score: number) => void rate(score, shell.model.rating?.comment ?? ''),
    comment: (words: string) => void rate(shell.model.rating?.score ?? 0, words),
    rateAgain() {
      const { rating } = shell.model
      if (rating !== null) void rate(rating.score, rating.comment)
    },
    openHistory() {
      const now = pastOf(shell.model.conversation)?.id
      change({
        menu: false,
        past: readPast(memory.read(key)).filter(({ id }) => id !== now),
        chosen: null,
      })
    },
    choose: (chosen: Past | null) => change({ chosen }),
    clearHistory() {
      memory.write(key, null)
      change({ past: [] })
      acts.keep()
    },
    back() {
      change({ past: null, chosen: null })
      shell.focus()
    },
    keep() {
      const { conversation, keeps } = shell.model
      const past = keeps > 0 ? pastOf(conversation) : null
      if (past !== null) memory.write(key, JSON.stringify(withPast(readPast(memory.read(key)), past, keeps)))
    },
  }
  return acts
}
