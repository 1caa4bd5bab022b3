import type { Handoff } from '@colloquy/client/messaging'
import type { View } from '../h.ts'
import type { Model } from '../model.ts'
import { moment, strip } from '../view/parts.ts'
import { say } from '../words/index.ts'

/** Returns the words of the way to a person: to a closed queue those of the time at which it opens. */
function wordsOf(way: Handoff, { language, words }: Pick<Model, 'language' | 'words'>): string {
  const { state } = way
  if (state === 'requested' || state === 'elsewhere') return words[state]
  if (state === 'queued') {
    const { estimatedWaitSeconds: wait, message, position } = way
    const said = [
      position === null ? words.requested : say(words.place, 'n', position),
      wait !== null && say(words.wait, 'n', Math.max(1, Math.round(wait / 60))),
      message,
    ]
    return said.filter(one => one).join(' · ')
  }
  const opens = state === 'failed' ? (way.reason.split('closed until ')[1] ?? '') : ''
  if (!(Date.parse(opens) > Date.now())) return words.nobody
  return say(words.closed, 'time', `${moment(opens, language, 'day')}, ${moment(opens, language, 'time')}`)
}

/** Renders the way to a person. */
export const handoff = (model: Model): View =>
  model.conversation.handoff !== null &&
  model.conversation.status !== 'ended' &&
  strip('handoff', wordsOf(model.conversation.handoff, model))
