import { effect, signal } from '@preact/signals'

/** Number of visitors who wait for this person, and of unread messages to them; 0 before the desk is opened. */
export const attention = signal(0)

/** The title of the place that is open. */
export const title = signal(document.title)

effect(() => {
  document.title = attention.value > 0 ? `(${attention.value}) ${title.value}` : title.value
})
