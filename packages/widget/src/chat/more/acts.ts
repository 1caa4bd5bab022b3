import type { Memory } from '../device.ts'
import type { Acts, Model } from '../model.ts'
import { offer } from './device.ts'
import { type Past, pastOf, readPast, withPast } from './past.ts'
import { transcriptOf } from './transcript.ts'

/** What the chat lends to what is loaded later. */
export interface Shell {
  /** What its keys on the device begin with. */
  readonly name: string
  readonly memory: Memory
  readonly model: Model
  change(next: Partial<Model>): void
  /** Ends the conversation. */
  end(): void
  renew(): void
  /** Starts the client. */
  begin(): void
  focus(): void
}

/** All that a visitor does. */
export interface AllActs extends Acts {
  agree(): void
  ask(what: Model['asking']): void
  /** Does what was asked. */
  confirm(): void
  download(): void
  openHistory(): void
  choose(past: Past | null): void
  clearHistory(): void
  /** Back to the conversation. */
  back(): void
  /** Keeps the conversation on the device, beside earlier ones. */
  keep(): void
}

export function createActs(shell: Shell): Omit<AllActs, keyof Acts> {
  const { change, memory, name } = shell
  const key = `${name}.past`
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
      if (asking === 'end') shell.end()
      else shell.renew()
    },
    download() {
      const { conversation, title, words } = shell.model
      change({ menu: false })
      offer(`${title ?? 'chat'}.txt`, transcriptOf(conversation, words))
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
