import { choice } from './choice.ts'
import { say } from './texts.ts'

/** Whether the system shows a notification when visitors wait while the page is hidden. @default off */
export const notices = choice('desk-notices')

/** Whether this browser has such notices at all. */
export const hasNotices = 'Notification' in globalThis

/** Asks the person for permission, unless the browser has before. Returns whether notices may be shown. */
export async function allowNotices(): Promise<boolean> {
  return (await Notification.requestPermission()) === 'granted'
}

/** Shows a system notification with the number of waiting visitors, and no details of them. */
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
