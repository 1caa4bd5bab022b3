import type { FilledReply } from '@colloquy/client/http'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { isComposing } from '../../ui/composing.ts'
import { repliesFor, type Slash, slashAt } from './slash.ts'
import { say } from './texts.ts'

/** The choice of a shared reply in a composer. */
export interface SlashMenu {
  /** Null while nothing is offered. */
  readonly offered: readonly FilledReply[] | null
  readonly chosen: number
  readonly listId: string
  optionId(at: number): string
  /** Looks for a slash before the cursor. */
  look(text: string, cursor: number): void
  /** Takes a key. Returns whether the menu has used it. */
  key(event: KeyboardEvent): boolean
  pick(reply: FilledReply): void
}

/**
 * Offers the shared replies for a visitor once a slash is typed.
 *
 * @param insert puts a reply in the place of the slash and what was typed behind it
 */
export function useSlashMenu(
  handoffId: string,
  insert: (reply: string, slash: Slash & { readonly end: number }) => void,
): SlashMenu {
  const [slash, setSlash] = useState<Slash | null>(null)
  const [replies, setReplies] = useState<readonly FilledReply[]>([])
  const [chosen, setChosen] = useState(0)
  const listId = useId()
  const isOpen = slash !== null
  useEffect(() => {
    if (!isOpen) return
    const gone = new AbortController()
    api.listHandoffReplies({ id: handoffId }, { signal: gone.signal }).then(
      found => setReplies(found.replies),
      () => {
        // Those that were read before are still offered.
      },
    )
    return () => gone.abort()
  }, [isOpen, handoffId])
  const offered = slash === null ? null : repliesFor(replies, slash.query)
  const close = (): void => setSlash(null)
  // A menu that Escape has closed stays closed until another slash is typed.
  const dismissed = useRef<number | null>(null)

  function pick(reply: FilledReply): void {
    if (slash !== null) insert(reply.filled, { ...slash, end: slash.start + 1 + slash.query.length })
    close()
  }

  return {
    offered,
    chosen: Math.min(chosen, Math.max(0, (offered?.length ?? 0) - 1)),
    listId,
    optionId: at => `${listId}-${at}`,
    look(text, cursor) {
      const found = slashAt(text, cursor)
      if (found === null || found.start !== dismissed.current) dismissed.current = null
      if (found?.query !== slash?.query) setChosen(0)
      setSlash(dismissed.current === null ? found : null)
    },
    key(event) {
      if (offered === null || isComposing(event)) return false
      const count = offered.length
      const reply = offered[Math.min(chosen, count - 1)]
      if (event.key === 'Escape') {
        dismissed.current = slash?.start ?? null
        close()
      } else if (reply === undefined) return false
      else if (event.key === 'ArrowDown') setChosen((chosen + 1) % count)
      else if (event.key === 'ArrowUp') setChosen((chosen + count - 1) % count)
      else if (event.key === 'Enter' || event.key === 'Tab') pick(reply)
      else return false
      event.preventDefault()
      return true
    },
    pick,
  }
}

/** Shows the shared replies that are offered, above the message. */
export function SlashList({ menu }: { readonly menu: SlashMenu }) {
  const { chosen, listId, offered, optionId, pick } = menu
  if (offered === null) return null
  return (
    <div class="slash">
      <p class="quiet small" role="status">
        {offered.length === 0 ? say('slash.none') : say('slash', { count: offered.length })}
      </p>
      {offered.length > 0 && (
        <div class="slash-list" id={listId} role="listbox" tabIndex={-1} aria-label={say('slash.list')}>
          {offered.map((reply, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the message takes the keys
            <div
              key={reply.id}
              id={optionId(at)}
              role="option"
              tabIndex={-1}
              aria-selected={at === chosen}
              // The cursor stays in the message.
              onMouseDown={event => event.preventDefault()}
              onClick={() => pick(reply)}
            >
              <b>/{reply.code}</b>
              {reply.language !== null && <span class="quiet small"> {reply.language}</span>}{' '}
              <span class="clipped">{reply.filled}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
