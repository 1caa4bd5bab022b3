import { h, type View } from '../h.ts'
import type { Model } from '../model.ts'
import { bubble, button, drawing, icon, iconButton, moment, speakerOf, unseen } from '../view/parts.ts'
import type { AllActs } from './acts.ts'
import type { Past, PastMessage } from './past.ts'

const line = (message: PastMessage, { words }: Model): View =>
  h(
    'li',
    { class: `message first ${message.from === 'visitor' ? 'mine' : 'theirs'}` },
    unseen(`${speakerOf(message, words)}: `),
    bubble(message),
  )

/** Renders the entry of an earlier conversation: its time, and the visitor's first message. */
function entry(past: Past, { language }: Model, acts: AllActs): View {
  const at = past.messages[0]?.timestamp ?? ''
  const said = past.messages.find(({ from }) => from === 'visitor')?.text ?? ''
  return h(
    'li',
    { key: past.id },
    h(
      'button',
      { type: 'button', class: 'past', onclick: () => acts.choose(past) },
      h('strong', { dir: 'auto' }, said),
      h('span', {}, `${moment(at, language, 'day')}, ${moment(at, language, 'time')}`),
    ),
  )
}

function list(model: Model, acts: AllActs): View {
  const { past, words } = model
  if (past === null || past.length === 0) return h('p', { class: 'empty' }, words.noHistory)
  return h(
    'div',
    {},
    h(
      'ul',
      { class: 'pasts' },
      past.map(one => entry(one, model, acts)),
    ),
    button(words.clear, acts.clearHistory, 'link'),
  )
}

/** Earlier conversations, or the one of them that was chosen, in place of the conversation. */
export function history(model: Model, acts: AllActs): readonly View[] {
  const { chosen, inside, words } = model
  const back = chosen === null ? acts.back : () => acts.choose(null)
  return [
    h(
      'header',
      { key: 'head' },
      iconButton(drawing('back', 'M15 5l-7 7 7 7'), words.back, back),
      h('h2', { class: 'who' }, words.history),
      !inside && iconButton(icon('close'), words.close, acts.close),
    ),
    h(
      'div',
      { key: 'history', class: 'scroller', tabindex: 0, role: 'region', 'aria-label': words.history },
      chosen === null
        ? list(model, acts)
        : h(
            'ol',
            {},
            chosen.messages.map(one => line(one, model)),
          ),
    ),
  ]
}
