import { h, type View } from '../h.ts'
import { markdown } from '../markdown.ts'
import type { Model } from '../model.ts'
import { button } from '../view/parts.ts'
import type { AllActs } from './acts.ts'

/** Renders the text that the visitor must consent to before anything else. */
export const consent = ({ consent, words }: Model, acts: AllActs): View =>
  h(
    'div',
    { key: 'consent', class: 'consent' },
    h(
      'div',
      { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': words.agree },
      markdown(consent ?? ''),
    ),
    h('div', { class: 'foot' }, button(words.agree, acts.agree, 'main')),
  )
