import { entriesOf, type Note } from '../entries.ts'
import { h, type View } from '../h.ts'
import { markdown } from '../markdown.ts'
import type { Acts, Model } from '../model.ts'
import { say } from '../words/index.ts'
import { messageView } from './message.ts'
import { button, icon, iconButton, moment } from './parts.ts'

const note = ({ kind, name }: Note, { words }: Model): string =>
  say(kind === 'joined' ? words.joined : words.left, 'name', name || words.person)

/** Renders the indicator of a reply in progress: its author, and dots. */
function writing({ conversation, words }: Model): View {
  const { messages, servedBy, status, thinking, typing } = conversation
  const isShown = messages.some(({ state }) => state === 'streaming')
  const isBeginning = status === 'connecting' || (status === 'open' && messages.length === 0)
  if (isShown || !(thinking || typing || isBeginning)) return null
  const name = servedBy?.name || (typing ? words.person : words.agent)
  const dots = h('span', { class: 'dots', 'aria-hidden': 'true' }, h('i', {}), h('i', {}), h('i', {}))
  return h(
    'div',
    { key: 'writing', class: 'writing' },
    dots,
    h('span', { class: 'unseen' }, say(words.writing, 'name', name)),
  )
}

/** Answers that may be given with one touch: those of the newest message. */
function suggestions({ conversation: { messages, status } }: Model, acts: Acts): View {
  const newest = messages.at(-1)
  if (newest === undefined || newest.state !== 'done' || status === 'ended') return null
  if (newest.suggestions.length === 0) return null
  return h(
    'div',
    { key: 'suggestions', class: 'row suggestions' },
    newest.suggestions.map(({ text }) => button(text, () => acts.send(text), 'chip')),
  )
}

/** Returns the conversation, oldest first. */
export function logView(model: Model, acts: Acts): readonly View[] {
  const { announces, away, conversation, disclaimer, language, notes, words } = model
  const lines = entriesOf(conversation.messages, notes).map(entry => {
    if (entry.kind === 'message') return messageView(entry, model, acts)
    const text = entry.kind === 'day' ? moment(entry.timestamp, language, 'day') : note(entry.note, model)
    return h('li', { key: entry.key, class: entry.kind }, text)
  })
  return [
    h(
      'div',
      {
        key: 'scroller',
        class: 'scroller',
        tabindex: 0,
        role: 'region',
        'aria-label': words.log,
        onscroll: acts.scrolled,
      },
      disclaimer !== null && h('div', { key: 'disclaimer', class: 'disclaimer' }, markdown(disclaimer)),
      h(
        'div',
        { key: 'log', role: 'log', 'aria-live': announces ? 'polite' : 'off' },
        h('ol', { class: 'log' }, lines),
      ),
      writing(model),
      suggestions(model, acts),
    ),
    away && h('div', { key: 'latest', class: 'latest' }, iconButton(icon('down'), words.latest, acts.latest)),
  ]
}
