import type { DeskQueue } from '@colloquy/client/http'
import { say } from './texts/hours.ts'
import { locale } from './texts/language.ts'

/** Says whether a queue is open, and until when it is closed, by the person's own clock. */
export function openState({ is_open, opens_at }: DeskQueue): string {
  if (is_open) return say('open')
  if (opens_at === null) return say('closed')
  const shape = {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  } as const
  return say('closed.until', { time: new Date(opens_at).toLocaleString(locale(), shape) })
}
