import { h, type View } from '../h.ts'
import type { Model } from '../model.ts'
import { button, drawing, iconButton } from '../view/parts.ts'
import { say } from '../words/index.ts'
import type { AllActs } from './acts.ts'

const STAR = 'M12 3l2.6 6.2 6.4.6-5 4.4 1.6 6.8-5.6-3.6L6.4 21 8 14.2 3 9.8l6.4-.6z'

/** Five stars: as many are full as were given. */
function stars({ rating, words }: Model, acts: AllActs): View {
  const given = rating?.score ?? 0
  return h(
    'div',
    { class: 'stars', role: 'group', 'aria-label': words.rate },
    [1, 2, 3, 4, 5].map(score =>
      iconButton(drawing('star', STAR), say(words.score, 'n', score), () => acts.rate(score), {
        class: score <= given ? 'round given' : 'round',
        'aria-pressed': String(score === given),
      }),
    ),
  )
}

/** Returns the comment field next to the stars, for a visitor who has given some. */
function comment({ words }: Model, acts: AllActs): View {
  return h(
    'form',
    {
      key: 'comment',
      class: 'comment',
      onsubmit(event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) {
        event.preventDefault()
        const said = event.currentTarget.querySelector('textarea')?.value.trim()
        if (said) acts.comment(said)
      },
    },
    h('textarea', {
      rows: 1,
      maxlength: 2_000,
      dir: 'auto',
      'aria-label': words.comment,
      placeholder: words.comment,
    }),
    h('button', { class: 'button plain' }, words.send),
  )
}

/** Renders the outcome of the rating. */
function outcome({ rating, words }: Model, acts: AllActs): View {
  if (rating?.state === 'failed')
    return h('p', { class: 'failed' }, `${words.failed} `, button(words.resend, acts.rateAgain, 'link'))
  return rating?.state === 'done' && h('p', {}, words.rated)
}

function rating(model: Model, acts: AllActs): readonly View[] {
  const { conversation, rates, rating: given, words } = model
  const begun = conversation.messages.some(({ from, state }) => from === 'visitor' && state === 'done')
  if (!rates || !begun) return []
  return [
    h('p', { key: 'rate' }, words.rate),
    stars(model, acts),
    given?.state === 'done' && given.comment === '' && comment(model, acts),
    h('div', { key: 'rated', role: 'status' }, outcome(model, acts)),
  ]
}

/** Shows the end of the conversation, its rating, and the button for a new one. */
export function ended(model: Model, acts: AllActs): View {
  const { conversation, words } = model
  return h(
    'div',
    { key: 'ended', class: 'foot' },
    h('p', { role: 'status' }, conversation.endReason === 'silence' ? words.endedBySilence : words.ended),
    ...rating(model, acts),
    h('div', { key: 'renew', class: 'row' }, button(words.renew, acts.renew, 'main')),
  )
}
