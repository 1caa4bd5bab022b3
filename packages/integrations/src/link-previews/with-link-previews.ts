import { setTimeout as later } from 'node:timers/promises'
import { refuseNumbers, refuseUnknown } from '@colloquy/core'
import type { AgentRuntime, Attachment, RuntimePart } from '@colloquy/core/runtime'
import { type ResolveAll, resolveBySystem } from '../outbound-http/checked-lookup.ts'
import { createReach } from '../outbound-http/reach.ts'
import { linksOf } from './links-of.ts'
import { createPreviews } from './previews.ts'

/** Options of previews; see the README. */
export interface LinkPreviewOptions {
  /**
   * Pictures of pages too. A visitor's browser then loads them from where the page says.
   * @default false
   */
  readonly pictures?: boolean
  /** Links of a reply that have a preview, the first ones. @default 3 */
  readonly links?: number
  /** The longest time that a complete reply waits for its previews, milliseconds. @default 1500 */
  readonly patience?: number
  /**
   * Also reads private, loopback and link-local addresses. What visitors make an agent say can then reach inside the
   * network of this process.
   * @default false
   */
  readonly allowPrivateAddresses?: boolean
  /** Resolves names. @default the operating system's resolver */
  readonly resolveAll?: ResolveAll
}

/** Every option: another one is refused (EM4). */
const OPTIONS: Readonly<Record<keyof LinkPreviewOptions, true>> = {
  pictures: true,
  links: true,
  patience: true,
  allowPrivateAddresses: true,
  resolveAll: true,
}

/** Finds links in a text that comes in pieces. Each is returned once it is whole. */
function createLinkReader(): { read(piece: string): readonly string[]; end(): readonly string[] } {
  let open = ''
  return {
    read(piece) {
      open += piece
      // No address has a blank in it.
      const end = open.search(/\s\S*$/)
      if (end < 0) return []
      const whole = open.slice(0, end)
      open = open.slice(end)
      return linksOf(whole)
    },
    end: () => linksOf(open),
  }
}

/**
 * Adds to replies of a runtime a card for each link in them, with the title and the site of the linked page: an
 * attachment, which all clients show. Text passes unchanged. A page that cannot be read in time has no card, and no
 * turn fails because of it. Test runs have no cards, so that they do not depend on the web.
 *
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option, and a number outside its range (EM4)
 */
export function withLinkPreviews(runtime: AgentRuntime, options: LinkPreviewOptions = {}): AgentRuntime {
  refuseUnknown('withLinkPreviews', options, Object.keys(OPTIONS))
  refuseNumbers(options, { links: { least: 0 }, patience: { least: 0 } })
  const { allowPrivateAddresses = false, links = 3, patience = 1_500, pictures = false } = options
  const { resolveAll = resolveBySystem } = options
  const reach = createReach({ allowPrivateAddresses, allowInsecure: true, resolveAll })
  const previews = createPreviews({ reach, pictures, anyPort: allowPrivateAddresses })

  /** Returns the cards of a reply, in the order of their links; of those that are there in time. */
  async function cardsOf(
    asked: ReadonlyMap<string, Promise<Attachment | null>>,
    signal: AbortSignal,
  ): Promise<readonly Attachment[]> {
    const done = new AbortController()
    const over = later(patience, null, { signal: AbortSignal.any([signal, done.signal]) }).catch(() => null)
    const found = await Promise.all([...asked.values()].map(preview => Promise.race([preview, over])))
    done.abort()
    return found.filter(card => card !== null)
  }

  async function* respond(
    turn: Parameters<AgentRuntime['respond']>[0],
    signal: AbortSignal,
  ): AsyncIterable<RuntimePart> {
    const reader = createLinkReader()
    const asked = new Map<string, Promise<Attachment | null>>()
    const shown = new Set<string>()
    function ask(found: readonly string[]): void {
      for (const link of found) if (!asked.has(link) && asked.size < links) asked.set(link, previews.of(link))
    }
    for await (const part of runtime.respond(turn, signal)) {
      yield part
      if (part.type === 'text') ask(reader.read(part.text))
      if (part.type === 'attachment') shown.add(part.attachment.contentUrl)
    }
    ask(reader.end())
    for (const link of shown) asked.delete(link)
    if (asked.size === 0) return
    for (const attachment of await cardsOf(asked, signal)) yield { type: 'attachment', attachment }
  }

  const prepare = runtime.prepare?.bind(runtime)
  return {
    ...(prepare === undefined ? {} : { prepare }),
    respond: (turn, signal) => (turn.kind === 'test' ? runtime.respond(turn, signal) : respond(turn, signal)),
  }
}
