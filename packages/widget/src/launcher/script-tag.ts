import { type Chat, mount } from './mount.ts'
import type { ChatOptions } from './options.ts'
import type { ChatModule } from './part.ts'

/** The file of the chat, or of what puts it into a frame, and what it must hash to: the build puts them in. */
declare const CHAT_FILE: string
declare const CHAT_INTEGRITY: string

/** The page of the frame; null where the chat is in the page itself. */
declare const FRAME_PAGE: string | null

/** Attributes that stand for yes, whatever they say but `false`. */
const FLAGS = /^(auto|count|rating|show|sound)/

/** Options of the attributes' names: `data-count-in-title` is `countInTitle`. */
function optionsOf({ dataset, src }: HTMLScriptElement): ChatOptions {
  const options: Record<string, unknown> = { server: new URL(src).origin }
  for (const [key, value = ''] of Object.entries(dataset))
    options[key] = FLAGS.test(key)
      ? value !== 'false'
      : key === 'launcher'
        ? document.querySelector(value)
        : value
  // What the page's author says is what it is: nothing else could check it.
  return options as unknown as ChatOptions
}

/** Begins as the tag says, and gives the page's own scripts `colloquy.mountChat`, and `colloquy.chat` of the tag. */
export function start(): void {
  const script = document.currentScript as HTMLScriptElement
  const { connectorToken, place } = script.dataset
  let again = ''

  /** Loads the chat from beside this file. One that is not of this very version is refused. */
  async function load(): Promise<ChatModule> {
    // A browser keeps in mind that an address gave nothing.
    const { href } = new URL(CHAT_FILE + again, script.src)
    again += '?'
    const tag = document.createElement('script')
    await new Promise((onload, onerror) => {
      Object.assign(tag, {
        type: 'module',
        integrity: CHAT_INTEGRITY,
        crossOrigin: '',
        src: href,
        onload,
        onerror,
      })
      document.head.append(tag)
    }).finally(() => tag.remove())
    // The module that the tag has run.
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
  ;(globalThis as { colloquy?: unknown }).colloquy = colloquy

  const begin = (): void => {
    if (connectorToken !== undefined)
      colloquy.chat = colloquy.mountChat(
        (place && document.querySelector(place)) || document.body,
        optionsOf(script),
      )
  }
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', begin)
  else begin()
}
