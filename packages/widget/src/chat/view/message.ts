import type { Message } from '@colloquy/client/messaging'
import type { Entry } from '../entries.ts'
import { h, type View, type ViewElement } from '../h.ts'
import type { Acts, Model } from '../model.ts'
import { bubble, button, icon, moment, speakerOf, unseen } from './parts.ts'

/** Renders the outcome of a message. Screen readers announce only a failure, as a status. */
function outcome(
  { id, problem, state, timestamp, from }: Message,
  { language, words }: Model,
  acts: Acts,
): View {
  if (state === 'failed')
    return h(
      'div',
      { class: 'meta failed', role: 'alert' },
      h('span', {}, [words.failed, problem].join(' ')),
      button(words.resend, () => acts.resend(id), 'link'),
      button(words.discard, () => acts.discard(id), 'link'),
    )
  return h(
    'div',
    { class: `meta ${state}`, 'aria-live': 'off' },
    state === 'sending' ? words.sending : moment(timestamp, language, 'time'),
    from === 'visitor' && state === 'done' && [icon('sent'), unseen(words.sent)],
  )
}

type Line = Extract<Entry, { kind: 'message' }>

/** Returns a message with who says it, what comes with it, and what became of it. */
function make({ first, key, last, message }: Line, model: Model, acts: Acts): ViewElement {
  const { from, state } = message
  const { files } = model
  const isUnder = state === 'streaming'
  const speaker = speakerOf(message, model.words)
  return h(
    'li',
    {
      key,
      class: `message ${from === 'visitor' ? 'mine' : 'theirs'}${first ? ' first' : ''}`,
      // Its pieces are not read out: the whole reply is, as a line of its own.
      'aria-busy': isUnder ? 'true' : null,
      'aria-live': isUnder ? 'off' : null,
    },
    from === 'live agent' && first ? h('div', { class: 'name' }, speaker) : unseen(`${speaker}: `),
    !files?.isAlone(message) && bubble(message),
    files?.shown(message, model) ?? null,
    model.more?.beside(message, model) ?? null,
    (last || state === 'failed') && !isUnder && outcome(message, model, acts),
  )
}

const made = new WeakMap<Message, { readonly of: readonly unknown[]; readonly view: ViewElement }>()

/** Returns the same view as before where nothing has changed: a piece of a reply makes its own line alone again. */
export function messageView(line: Line, model: Model, acts: Acts): ViewElement {
  const { first, last, message } = line
  const of = [first, last, model.words, model.more, message.files.length > 0 && model.files, acts]
  const before = made.get(message)
  if (before?.of.every((one, at) => one === of[at])) return before.view
  const view = make(line, model, acts)
  made.set(message, { of, view })
  return view
}
