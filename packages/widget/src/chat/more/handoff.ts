import type { View } from '../h.ts'
import type { Model } from '../model.ts'
import { strip } from '../view/parts.ts'
import { say } from '../words/index.ts'

/** Returns the way to a person. */
export function handoff({ conversation, words }: Model): View {
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
