import type { Attachment } from '@colloquy/core/runtime'
import { LRUCache } from 'lru-cache'
import type { Reach } from '../outbound-http/reach.ts'
import { wordsOf } from './page-words.ts'
import { type Page, readPage } from './read-page.ts'

/** The time limit for reading a page, milliseconds. A reply may be sent without its preview before that. */
const READING = 5_000

/** Pages that are read at once, at most; more have no preview. */
const AT_ONCE = 20

/** Previews that are kept. */
const KEPT = 1_000

/** The time to cache a preview, or the absence of one, milliseconds. */
const KEPT_FOR = 3_600_000
const NONE_FOR = 60_000

/** Cards for addresses. */
export interface Previews {
  /** Returns a card from the page's metadata; null if it has none or cannot be read. Never rejects. */
  of(link: string): Promise<Attachment | null>
}

/** The pages of visitors are on the port of their protocol: what else listens on a machine is not asked. */
const onWebPorts = (reach: Reach): Reach => ({
  ...reach,
  objection: address =>
    reach.objection(address) ?? (new URL(address).port === '' ? null : 'expected the port of the protocol'),
})

function cardOf(link: string, page: Page, pictures: boolean): Attachment | null {
  const { picture, site, title } = wordsOf(page.html)
  if (title === '') return null
  const shown = pictures && URL.canParse(picture, page.url) ? new URL(picture, page.url) : null
  return {
    title,
    contentType: 'url',
    contentUrl: link,
    previewImageUrl: shown?.protocol === 'https:' ? shown.href : '',
    callToActionText: site || new URL(page.url).hostname.replace(/^www\./, ''),
  }
}

/** Reads pages, each once for all who ask meanwhile, and keeps what they say. */
export function createPreviews({
  anyPort,
  pictures,
  reach,
}: {
  readonly anyPort: boolean
  readonly pictures: boolean
  readonly reach: Reach
}): Previews {
  const allowed = anyPort ? reach : onWebPorts(reach)
  let reading = 0

  async function read(link: string): Promise<Attachment | null> {
    reading += 1
    try {
      const page = await readPage(allowed, link, AbortSignal.timeout(READING))
      return page === null ? null : cardOf(link, page, pictures)
    } catch {
      return null
    } finally {
      reading -= 1
    }
  }

  const kept = new LRUCache<string, { readonly card: Attachment | null }>({
    max: KEPT,
    ttl: KEPT_FOR,
    async fetchMethod(link, _, { options }) {
      const card = await read(link)
      options.ttl = card === null ? NONE_FOR : KEPT_FOR
      return { card }
    },
  })

  return {
    async of(link) {
      if (reading >= AT_ONCE && !kept.has(link)) return null
      return (await kept.fetch(link))?.card ?? null
    },
  }
}
