import { over } from '../listen/follow.ts'
import { type Heard, type Listens, type Ready, type Start, type ToPage, VERSION } from './protocol.ts'

/** Text for visitors who open the frame's address directly. */
const ALONE = 'This is the frame of a chat. It belongs into a page, where the widget puts it.'

/** Starts the chat. What only the page can do is in a file of its own: one that follows does not load it. */
async function startIn(start: Start, origin: string, port: MessagePort): Promise<void> {
  try {
    const [{ begin }, { startChat }] = await Promise.all([import('./inside.ts'), import('../chat/index.ts')])
    await begin(start, origin, port, startChat)
  } catch (error) {
    const failed: ToPage = { type: 'started', problem: String(error) }
    port.postMessage(failed)
  }
}

/** Follows a session for the page, for as long as the page has the frame. */
function followIn({ listens }: Listens, origin: string, port: MessagePort): void {
  const say = (heard: Heard): void => port.postMessage(heard)
  const hears = { said: say, streamsWork: () => say('over streams') }
  const forAsLongAsItIsThere = new AbortController().signal
  void over(new URL(origin).hostname)(listens, hears, forAsLongAsItIsThere).then(() => say('end'))
}

/** Waits for the page around the frame, and for no other window, and does as it says. */
export function start(): void {
  if (parent === window) {
    document.body.textContent = ALONE
    return
  }
  const heard = new AbortController()
  addEventListener(
    'message',
    ({ data, origin, ports: [port], source }: MessageEvent<unknown>) => {
      if (source !== parent || port === undefined || Object(data).colloquy !== VERSION) return
      heard.abort()
      const first = data as Start | Listens
      if ('listens' in first) followIn(first, origin, port)
      else void startIn(first, origin, port)
    },
    { signal: heard.signal },
  )
  const ready: Ready = { colloquy: VERSION, ready: true }
  parent.postMessage(ready, '*')
}
