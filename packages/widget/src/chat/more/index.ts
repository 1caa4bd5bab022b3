import type { Message } from '@colloquy/client/messaging'
import type { View } from '../h.ts'
import type { Acts, Model } from '../model.ts'
import type { Shell } from '../shell.ts'
import { type AllActs, createActs } from './acts.ts'
import { beside } from './beside.ts'
import { consent } from './consent.ts'
import { countInTitle, ring } from './device.ts'
import { ended } from './ended.ts'
import { handoff } from './handoff.ts'
import { history } from './history.ts'
import { menu } from './menu.ts'
import { question } from './question.ts'
import { MORE_STYLE } from './style.ts'

/** Parts of the chat that the first view does not need. They are loaded on the first use of any of them. */
export interface More {
  readonly style: string
  /** Links, pictures and numbers of a message. */
  beside(message: Message, model: Model): View
  consent(model: Model, acts: Acts): View
  /** Renders the area below a conversation that has ended. */
  ended(model: Model, acts: Acts): View
  /** Renders the state of the handoff to a person. */
  handoff(model: Model): View
  history(model: Model, acts: Acts): readonly View[]
  menu(model: Model, acts: Acts): View
  question(model: Model, acts: Acts): View
  ring(): void
  countInTitle(count: number): void
  /** Stores the conversation on the device, next to earlier ones. */
  keep(): void
}

function createMore(shell: Shell): More {
  const own = createActs(shell)
  const withOwn =
    <Made>(view: (model: Model, acts: AllActs) => Made) =>
    (model: Model, acts: Acts): Made =>
      view(model, { ...acts, ...own })
  return {
    style: MORE_STYLE,
    beside,
    consent: withOwn(consent),
    ended: withOwn(ended),
    handoff,
    history: withOwn(history),
    menu: withOwn(menu),
    question: withOwn(question),
    ring,
    countInTitle,
    keep: own.keep,
  }
}

export { createMore as create }
