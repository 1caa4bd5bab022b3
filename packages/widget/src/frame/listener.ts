import type { Frame } from '../launcher/part.ts'
import type { Follow } from '../listen/follow.ts'
import { openFrame } from './iframe.ts'
import type { Heard } from './protocol.ts'

/** Follows in a frame that is not seen, for pages that may not connect themselves. */
export const listener =
  ({ options, root }: Frame): Follow =>
  (session, hears, until) =>
    new Promise(resolve => {
      const ends = new AbortController()
      const end = (): void => {
        ends.abort()
        resolve()
      }
      if (until.aborted) return end()
      until.addEventListener('abort', end)
      const { begin, iframe, port } = openFrame(options, root, ends.signal)
      iframe.tabIndex = -1
      Object.assign(iframe.style, { position: 'fixed', width: 0, height: 0, border: 0 })
      port.onmessage = ({ data }: MessageEvent<Heard>) => {
        if (data === 'end') end()
        else if (data === 'over streams') hears.streamsWork()
        else hears.said(data)
      }
      begin(() => ({ listens: session })).catch(end)
    })
