import type { Chat } from './mount.ts'

/** The element of a chat, which notices when a page takes it out and puts it back. */
export interface ChatElement extends HTMLElement {
  came?(): void
  left?(): void
}

function define(): Map<string, Chat> {
  customElements.define(
    'colloquy-chat',
    class extends HTMLElement implements ChatElement {
      declare came?: () => void
      declare left?: () => void
      connectedCallback(): void {
        // A copy, of a page that was kept to be shown again, is no chat.
        if (this.came) this.came()
        else this.remove()
      }
      disconnectedCallback(): void {
        this.left?.()
      }
    },
  )
  return new Map()
}

/** Returns the chats of the page by their names, also those of other copies of this file. */
export function chatsOfPage(): Map<string, Chat> {
  const page: { colloquyChats?: Map<string, Chat> } = document as object
  page.colloquyChats ??= define()
  return page.colloquyChats
}
