import { type Chat, mount } from './mount.ts'
import type { ChatOptions } from './options.ts'
import type { ChatModule, ExtraModule } from './part.ts'

/**
 * The files of the chat, or of what puts it into a frame, and of what the launcher needs on some pages alone, each with
 * what it must hash to: the build puts them in.
 */
declare const CHAT_FILE: LaterFile
declare const EXTRA_FILE: LaterFile

/** A path beside the launcher, and a hash. */
type LaterFile = readonly [path: string, integrity: string]

/** The page of the frame; null if the chat is in the page itself. */
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
  // The values are trusted as the page's author wrote them: nothing here could check them.
  return options as unknown as ChatOptions
}

/** Begins as the tag says, and gives the page's own scripts `colloquy.mountChat`, and `colloquy.chat` of the tag. */
export function start(): void {
  // A module is not told which tag has run it.
  const script = (document.currentScript ??
    document.querySelector('script[src*=colloquy-widget]')) as HTMLScriptElement
  const { connectorToken, place } = script.dataset
  let again = ''

  /** Loads a file from beside this one. One that is not of this very version is refused. */
  async function load<Module>([path, integrity]: LaterFile): Promise<Module> {
    // A browser keeps in mind that an address gave nothing.
    const { href } = new URL(path + again, script.src)
    const rel = 'modulepreload'
    const tag = document.createElement('link')
    await new Promise((onload, onerror) => {
      document.head.append(Object.assign(tag, { rel, integrity, href, onload, onerror }))
    })
      .catch(error => {
        again += '?'
        throw error
      })
      .finally(() => tag.remove())
    // The very file whose hash was compared.
    return import(href)
  }

  const colloquy: { mountChat(place: Element, options: ChatOptions): Chat; chat: Chat | null } = {
    mountChat: (place, options) =>
      mount(
        place,
        FRAME_PAGE === null ? options : { frame: new URL(FRAME_PAGE, script.src).href, ...options },
        { chat: () => load<ChatModule>(CHAT_FILE), extra: () => load<ExtraModule>(EXTRA_FILE) },
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
