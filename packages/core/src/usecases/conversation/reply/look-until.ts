import type { StoredTurn } from '../../../domain/conversation/record.ts'
import type { ConversationId } from '../../../domain/ids.ts'
import type { Context } from '../../context.ts'
import { watchChanges } from '../../room/changes.ts'

/** A search of a conversation, and its time limit. */
export interface Looking<Found> {
  /** Called once, before the first look and after subscribing to changes. @default nothing */
  begin?(): Promise<void>
  /** Called with each turn that this process records meanwhile. @default nothing */
  recorded?(turn: StoredTurn): void
  /** Returns what this process knows: asked while no other has changed the conversation since. @default nothing */
  known?(): Found | null
  look(): Promise<Found>
  isEnough(found: Found): boolean
  /** Milliseconds. @default until it is enough */
  readonly wait?: number
}

/**
 * Reads a conversation again whenever it changes, on any node, until the result is enough or the time is over. All
 * callers wait for a reply this way.
 */
export async function lookUntil<Found>(
  context: Pick<Context, 'clock' | 'rooms'>,
  id: ConversationId,
  { begin, recorded, known, look, isEnough, wait = Number.POSITIVE_INFINITY }: Looking<Found>,
): Promise<Found> {
  const { clock } = context
  const until = clock.monotonic() + wait
  const changes = watchChanges(context, id, recorded)
  try {
    await begin?.()
    for (let isOwn = true; ; ) {
      const found = (isOwn ? known?.() : null) ?? (await look())
      const left = until - clock.monotonic()
      if (left <= 0 || isEnough(found)) return found
      isOwn = await changes.next(left)
    }
  } finally {
    changes.close()
  }
}
