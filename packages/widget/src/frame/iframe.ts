import type { ChatOptions } from '../launcher/options.ts'
import { VERSION } from './protocol.ts'

/** Time limit for loading the frame, milliseconds. */
const PATIENCE = 20_000

/** Opened links leave the frame; nothing in it takes the page elsewhere. */
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-downloads allow-popups allow-popups-to-escape-sandbox'

/** A frame of another origin, and the page's end of what they talk over. */
export interface OpenFrame {
  readonly iframe: HTMLIFrameElement
  readonly port: MessagePort
  /**
   * Sends the first message, with the frame's port, once the frame has loaded.
   *
   * @throws Error when it cannot be loaded
   */
  begin(first: () => object): Promise<void>
}

/** Resolves when the frame reports that it is ready. Ignores messages of others. */
const isThere = (iframe: HTMLIFrameElement, origin: string, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('The frame of the chat does not answer.')), PATIENCE)
    signal.addEventListener('abort', () => clearTimeout(late))
    addEventListener(
      'message',
      event => {
        if (event.source !== iframe.contentWindow || event.origin !== origin) return
        const { colloquy } = Object(event.data)
        if (colloquy === VERSION) resolve()
        else reject(new Error(`The frame of the chat speaks version ${colloquy}, the page ${VERSION}.`))
        clearTimeout(late)
      },
      { signal },
    )
  })

/** Puts the frame into a place. A hidden one may not be loaded. The signal releases it. */
export function openFrame(
  { connectorToken, frame = '', title = 'Chat', voice }: ChatOptions,
  place: Node,
  signal: AbortSignal,
): OpenFrame {
  const { href, origin } = new URL(frame, document.baseURI)
  // The server of the frame can use it to decide which pages may show the frame.
  const query = connectorToken ? `?token=${encodeURIComponent(connectorToken)}` : ''
  const { port1: port, port2 } = new MessageChannel()
  const iframe = document.createElement('iframe')
  Object.assign(iframe, { src: href + query, title, allow: voice ? 'autoplay; microphone' : 'autoplay' })
  iframe.setAttribute('sandbox', SANDBOX)
  signal.addEventListener('abort', () => {
    port.close()
    iframe.remove()
  })
  place.appendChild(iframe)
  return {
    iframe,
    port,
    async begin(first) {
      await isThere(iframe, origin, signal)
      iframe.contentWindow?.postMessage({ colloquy: VERSION, ...first() }, origin, [port2])
    },
  }
}
