import type { DeskVisitor } from '@colloquy/client/http'
import { valueText } from '../../value-text.ts'

/** One value that the host's systems gave about a visitor. */
export interface HostFact {
  readonly name: string
  readonly text: string
  /** Whether the host has signed it. */
  readonly isVerified: boolean
}

/** Returns what the host gave about a visitor: what it has signed first, and in place of an attribute of that name. */
export function factsOf({
  attributes,
  verified,
}: Pick<DeskVisitor, 'attributes' | 'verified'>): readonly HostFact[] {
  const signed = Object.entries(verified ?? {})
  const others = Object.entries(attributes).filter(([name]) => !Object.hasOwn(verified ?? {}, name))
  return [
    ...signed.map(([name, value]) => ({ name, text: valueText(value), isVerified: true })),
    ...others.map(([name, value]) => ({ name, text: valueText(value), isVerified: false })),
  ]
}

/** Returns the name of a language in another one; the tag itself if browsers do not know it. */
export function languageName(tag: string, locale: string): string {
  try {
    return new Intl.DisplayNames([locale], { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}
