import { type Chat, mount } from './mount.ts'
import type { ChatOptions } from './options.ts'
import type { ChatModule } from './part.ts'

/** The file of the chat, or of what puts it into a frame, and what it must hash to: the build puts them in. */
declare const CHAT_FILE: string
declare const CHAT_INTEGRITY: string

/** The page of the frame; null where the chat is in the page itself. */
declare const FRAME_PAGE: string | null

/** Attributes of the tag, as `data-connector-token`, that are options of the same name. */
const TEXTS = [
  'name',
  'title',
  'logo',
  'language',
  'disclaimer',
  'consent',
  'theme',
  'side',
  'layout',
  'brand',
  'path',
] as const

/** What the tag says; null where it says nothing of a connector. */
function optionsOf({ dataset, src }: HTMLScriptElement): ChatOptions | null {
  const { connectorToken, countInTitle, history, launcher, server, sound } = dataset
  if (connectorToken === undefined) return null
  const texts = TEXTS.flatMap(key => (dataset[key] === undefined ? [] : [[key, dataset[key]]]))
  const own = launcher === undefined ? null : document.querySelector<HTMLElement>(launcher)
  return {
    ...Object.fromEntries(texts),
    connectorToken,
    server: server ?? new URL(src).origin,
    sound: sound !== undefined,
    countInTitle: countInTitle !== undefined,
    ...(history && { history: +history }),
    ...(own && { launcher: own }),
  }
}

/** Begins as the tag says, and gives the page's own scripts `colloquy.mountChat`, and `colloquy.chat` of the tag. */
export function start(): void {
  const script = document.currentScript as HTMLScriptElement
  let attempts = 0

  /** Loads the chat from beside this file. Browsers that can refuse one that is not of this very version do so. */
  async function load(): Promise<ChatModule> {
    const { href } = new URL(CHAT_FILE + (attempts === 0 ? '' : `?${attempts}`), script.src)
    attempts += 1
    const ahead = document.createElement('link')
    if (ahead.relList.supports('modulepreload'))
      await new Promise((resolve, reject) => {
        ahead.onload = resolve
        ahead.onerror = reject
        Object.assign(ahead, { rel: 'modulepreload', integrity: CHAT_INTEGRITY, crossOrigin: '', href })
        document.head.append(ahead)
      }).finally(() => ahead.remove())
    return import(href)
  }

  const colloquy: { mountChat(place: Element, options: ChatOptions): Chat; chat: Chat | null } = {
    mountChat: (place, options) =>
      mount(
        place,
        FRAME_PAGE === null ? options : { frame: new URL(FRAME_PAGE, script.src).href, ...options },
        load,
      ),
    chat: null,
  }
  Object.assign(globalThis, { colloquy })

  const begin = (): void => {
    const options = optionsOf(script)
    const { place } = script.dataset
    if (options !== null)
      colloquy.chat = colloquy.mountChat((place && document.querySelector(place)) || document.body, options)
  }
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin, { once: true })
  else begin()
}
