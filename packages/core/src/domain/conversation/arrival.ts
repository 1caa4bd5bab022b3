import { startOf } from '../cut-text.ts'
import { webAddressSchema } from '../web-address.ts'

/** The device of a visitor, as its browser describes itself. */
export interface VisitorDevice {
  readonly kind: 'desktop' | 'phone' | 'tablet'
  /** The operating system, such as `Windows` or `iOS`. */
  readonly system: string
  /** The browser, such as `Firefox`. Null for one that is not known. */
  readonly browser: string | null
}

/** The page of the host on which a visitor began. */
export interface VisitorPage {
  /** Its address, without query and fragment, at most 2,048 characters. */
  readonly url: string
  /** Its title, at most 200 characters. Empty without one. */
  readonly title: string
}

/** The page and the device on which a conversation began (DK640). Either may be unknown. */
export interface Arrival {
  readonly page: VisitorPage | null
  readonly device: VisitorDevice | null
}

const URL_LENGTH = 2_048
const TITLE_LENGTH = 200

/** The part of a browser's description that is read. */
const AGENT_LENGTH = 512

/**
 * Returns the page as it is kept: its address without query and fragment, which may hold secrets. Null for what is no
 * http or https address, and for an address that is too long.
 */
export function pageOf(url: string, title: string): VisitorPage | null {
  const bare = url.split(/[?#]/, 1)[0] ?? ''
  if (bare.length > URL_LENGTH || !webAddressSchema.safeParse(bare).success) return null
  const { origin, pathname } = new URL(bare)
  return { url: `${origin}${pathname}`, title: startOf(title.trim(), TITLE_LENGTH) }
}

/** Systems by what a description contains: the first that fits counts. */
const SYSTEMS = [
  ['iPhone', 'iOS'],
  ['iPad', 'iOS'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** Browsers, those before others that name the others too. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

function kindOf(agent: string): VisitorDevice['kind'] {
  if (agent.includes('iPad') || agent.includes('Tablet')) return 'tablet'
  if (agent.includes('Mobi')) return 'phone'
  return agent.includes('Android') ? 'tablet' : 'desktop'
}

/** Returns the device that a header `user-agent` describes; null for a program that is no browser of a known system. */
export function deviceOf(userAgent: string): VisitorDevice | null {
  const agent = startOf(userAgent, AGENT_LENGTH)
  const system = agent.startsWith('Mozilla/') && SYSTEMS.find(([word]) => agent.includes(word))
  if (!system) return null
  const browser = BROWSERS.find(([word]) => agent.includes(word))
  return { kind: kindOf(agent), system: system[1], browser: browser?.[1] ?? null }
}

/** Returns the arrival that a client and its browser describe; null where nothing of it is known. */
export function arrivalOf(
  page: { readonly url: string; readonly title?: string } | null,
  userAgent: string | null,
): Arrival | null {
  const known = page === null ? null : pageOf(page.url, page.title ?? '')
  const device = userAgent === null ? null : deviceOf(userAgent)
  return known === null && device === null ? null : { page: known, device }
}
