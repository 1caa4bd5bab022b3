import { choice } from './choice.ts'
import { say } from './texts.ts'

/** Whether the system says that visitors wait while the page is hidden. @default off */
export const notices = choice('desk-notices')

/** Whether this browser has such notices at all. */
export const hasNotices = 'Notification' in globalThis

/** Asks the person, where the browser has not before, and says whether notices may be shown. */
export async function allowNotices(): Promise<boolean> {
  return (await Notification.requestPermission()) === 'granted'
}

/** Has the system say how many wait, and nothing of them. */
export function notify(count: number): void {
  if (notices.value === 'off' || !hasNotices || Notification.permission !== 'granted') return
  try {
    // One of a tag takes the place of that before, also of other tabs.
    const note = new Notification(say('notice', { count }), { tag: 'colloquy-desk' })
    note.onclick = () => {
      focus()
      location.hash = '#/desk'
      note.close()
    }
  } catch {
    // Some phones have the constructor, and refuse it.
  }
}
