import { h, type View } from '../h.ts'
import type { Model } from '../model.ts'
import { button } from '../view/parts.ts'
import type { AllActs } from './acts.ts'

/** Asks for confirmation before a conversation is ended. */
export const question = ({ asking, words }: Model, acts: AllActs): View =>
  h(
    'div',
    { key: 'asking', class: 'foot', role: 'group', 'aria-label': words.endQuestion },
    h('p', {}, words.endQuestion),
    h(
      'div',
      { class: 'row' },
      button(asking === 'end' ? words.end : words.renew, acts.confirm, 'main'),
      button(words.cancel, () => acts.ask(null)),
    ),
  )
