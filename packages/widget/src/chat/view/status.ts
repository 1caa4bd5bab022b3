import { h, type View } from '../h.ts'
import type { Acts, Model } from '../model.ts'
import { say } from '../words/index.ts'
import { button } from './parts.ts'

const strip = (kind: string, words: string, ...more: readonly View[]): View =>
  h('div', { key: kind, class: `strip ${kind}` }, h('span', {}, words), ...more)

/** How the connection is, where it is not as it should be. */
function connection({ conversation: { problem, status }, words }: Model, acts: Acts): View {
  const retry = (): View => button(words.retry, acts.retry, 'link')
  if (status === 'offline') return strip('offline', words.offline)
  if (status === 'reconnecting') return strip('reconnecting', words.reconnecting)
  if (status === 'lost') return strip('lost', words.lost, retry())
  if (status === 'failed') return strip('refused', `${words.refused} ${problem?.message ?? ''}`, retry())
  return null
}

/** The way to a person. */
function handoff({ conversation, words }: Model): View {
  const way = conversation.handoff
  if (way === null || conversation.status === 'ended') return null
  if (way.state === 'requested') return strip('handoff', words.requested)
  if (way.state === 'elsewhere') return strip('handoff', words.elsewhere)
  if (way.state !== 'queued') return strip('handoff', words.nobody)
  const { estimatedWaitSeconds: wait, message, position } = way
  const said = [
    position === null ? words.requested : say(words.place, 'n', position),
    wait !== null && say(words.wait, 'n', Math.max(1, Math.round(wait / 60))),
    message,
  ]
  return strip('handoff', said.filter(one => one).join(' · '))
}

/** What is said beside the messages: a screen reader is told each of it. */
export function statusView(model: Model, acts: Acts): View {
  const { notice } = model.conversation
  return h(
    'div',
    { key: 'status', role: 'status', class: 'status' },
    connection(model, acts),
    handoff(model),
    notice !== null && strip(notice.level, notice.message),
  )
}
