import { h, type View } from '../h.ts'
import type { Acts, Model } from '../model.ts'
import { button, strip } from './parts.ts'

/** Renders the state of the connection, if something is wrong with it. */
function connection({ conversation: { problem, status }, words }: Model, acts: Acts): View {
  const retry = (): View => button(words.retry, acts.retry, 'link')
  // The server admits no more tabs, and reports that only in responses to requests.
  if (status !== 'open' && problem?.status === 429) return strip('lost', words.crowded, retry())
  if (status === 'offline') return strip('offline', words.offline)
  if (status === 'reconnecting') return strip('reconnecting', words.reconnecting)
  if (status === 'lost') return strip('lost', words.lost, retry())
  if (status === 'failed') return strip('refused', `${words.refused} ${problem?.message ?? ''}`, retry())
  return null
}

/** Renders the notices beside the messages. Screen readers announce each of them. */
export function statusView(model: Model, acts: Acts): View {
  const { notice } = model.conversation
  return h(
    'div',
    { key: 'status', role: 'status', class: 'status' },
    connection(model, acts),
    model.more?.handoff(model) ?? null,
    notice !== null && strip(notice.level, notice.message),
  )
}
