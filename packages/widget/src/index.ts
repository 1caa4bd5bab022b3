import { type Chat, mount } from './launcher/mount.ts'
import type { ChatOptions } from './launcher/options.ts'

export type { Words } from './chat/words/en.ts'
export type { Chat, ChatEvents, ChatListener } from './launcher/mount.ts'
export type { ChatOptions } from './launcher/options.ts'
export type { LauncherAnimation } from './launcher/part.ts'

/**
 * Puts a chat into a page, as the last child of an element; `document.body` for a floating one. Until it is opened
 * there is only a button: nothing more is loaded, and no request is sent.
 */
export const mountChat = (place: Element, options: ChatOptions): Chat =>
  mount(place, options, {
    chat: () => (options.frame === undefined ? import('./chat/index.ts') : import('./frame/page.ts')),
    extra: () => (options.frame === undefined ? import('./extra/index.ts') : import('./extra/framed.ts')),
  })
