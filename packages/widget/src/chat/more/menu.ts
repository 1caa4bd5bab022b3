import { h, type View } from '../h.ts'
import { isOpen, type Model } from '../model.ts'
import { button } from '../view/parts.ts'
import type { AllActs } from './acts.ts'

/** Renders the menu of further actions. */
export function menu(model: Model, acts: AllActs): View {
  const { conversation, keeps, words } = model
  const said = conversation.messages.length > 0
  const begun = conversation.messages.some(({ from }) => from === 'visitor')
  return h(
    'div',
    { key: 'menu', class: 'choices', id: 'menu' },
    button(words.renew, () => (isOpen(model) && begun ? acts.ask('renew') : acts.renew()), 'item'),
    keeps > 0 && button(words.history, acts.openHistory, 'item'),
    said && button(words.download, acts.download, 'item'),
    isOpen(model) && button(words.end, () => acts.ask('end'), 'item'),
  )
}
