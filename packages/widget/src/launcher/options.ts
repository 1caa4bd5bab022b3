import type { GrantedToken, MessagingOptions } from '@colloquy/client/messaging'
import type { Words } from '../chat/words/en.ts'

/** Options of a chat. Those that are not of the widget itself are the client's: see `MessagingOptions`. */
export interface ChatOptions extends Omit<MessagingOptions, 'getToken' | 'platform'> {
  /** A connector's token, which is meant for pages. Not needed with `getToken`. */
  readonly connectorToken?: string
  /** Gets an access token from the host's own server. @default asks the platform, with `connectorToken` */
  readonly getToken?: (signal: AbortSignal) => Promise<GrantedToken>
  /**
   * Name under which the chat stores data on the device. Chats of one name are one conversation.
   *
   * @default one for each server and connector
   */
  readonly name?: string
  /** Title of the chat. @default the agent's name */
  readonly title?: string
  /** The address of a picture that stands beside the title. @default the agent's */
  readonly logo?: string
  /** A language, as `de`. @default the first of the browser's that there are words in, then the agent's */
  readonly language?: string
  /** Words of the page's own in place of the chat's, in whatever language. */
  readonly words?: Partial<Words>
  /** `auto` goes by the system. @default 'auto' */
  readonly theme?: 'auto' | 'light' | 'dark'
  /** The corner: where lines of the page end, or where they start. @default 'end' */
  readonly side?: 'end' | 'start'
  /** `inside`: the chat fills the element, is open, and has no launcher. @default 'floating' */
  readonly layout?: 'floating' | 'inside'
  /** `fullscreen`: a floating chat covers the page on every screen, as it does on phones. @default 'default' */
  readonly renderMode?: 'default' | 'fullscreen'
  /** Opens the chat at once, without taking the focus, unless the visitor has closed it in this tab. @default false */
  readonly autoOpen?: boolean
  /** Whether the launcher is shown from the start: see `Chat.showLauncher`. @default true */
  readonly showIcon?: boolean
  /**
   * Whether the chat has a header: its title, its menu, and what closes it. Without one, a chat that covers the page
   * keeps a button that closes it, unless the launcher is left out as well.
   *
   * @default true
   */
  readonly showHeader?: boolean
  /** Stands in a bubble beside the launcher from the start: see `Chat.prompt`. @default no bubble */
  readonly prompt?: string
  /**
   * Kind of program that shows the page: a browser, or the web view of an app. The session reports `web`, `ios-web` or
   * `android-web`.
   *
   * @default 'web'
   */
  readonly platform?: 'web' | 'ios' | 'android'
  /**
   * The address of `colloquy-frame.html` among the widget's files: the chat runs in a frame of that origin, for pages
   * whose policy lets nothing else connect. The connector's hosts name that origin's host too. What it keeps on the
   * device stays with the page. Options that cannot leave the page are refused: `openSocket`, `fetch`, `network` and
   * `timing`.
   *
   * @default the chat is in the page itself
   */
  readonly frame?: string
  /** A button of the page that opens and closes the chat, in place of the launcher. */
  readonly launcher?: HTMLElement
  /** Shown over the conversation, as Markdown. */
  readonly disclaimer?: string
  /**
   * Text that the visitor must consent to before the first request to the server, as Markdown. Asked again if it
   * changes.
   */
  readonly consent?: string
  /** Number of earlier conversations kept on the device; 0 for none. @default 10 */
  readonly history?: number
  /** Whether to ask the visitor for a rating at the end. @default true */
  readonly rating?: boolean
  /** A sound when a message comes that is not seen. @default false */
  readonly sound?: boolean
  /** The number of messages that were not seen, in the page's title. @default false */
  readonly countInTitle?: boolean
  /**
   * The path of the voice gateway below the server's address, such as `/voice`: visitors can speak with the agent. The
   * page has to be on HTTPS, and its `Permissions-Policy` must allow the microphone.
   *
   * @default no voice: none of its code is loaded
   */
  readonly voice?: string
  /**
   * Whether live agents see on which page the visitor began: its title and its address, without query and fragment.
   * @default true
   */
  readonly showPage?: boolean
}

/** Returns a name for what a chat keeps. The token is not in it. */
export function nameOf({ connectorToken = '', name, server }: ChatOptions): string {
  // As it was from the first version on: browsers keep conversations under it.
  let hash = 2_166_136_261
  for (const letter of `${server} ${connectorToken}`)
    hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619)
  return name ?? `colloquy-${(hash >>> 0).toString(36)}`
}
