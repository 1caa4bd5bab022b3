import { PlatformError } from '../../errors.ts'
import { jsonBytes } from '../utf8-bytes.ts'
import type { ContentTree, Resource } from './content.ts'

const sumOf = (resources: Iterable<Resource>): number =>
  [...resources].reduce((sum, { value }) => sum + jsonBytes(value), 0)

/**
 * Returns the bytes of content that differs from content of `bytes` by the resources `removed` and `added`; a changed
 * resource is in both. UTF-8 of the JSON of their values: it costs what changed, and depends on the content alone
 * (AG72).
 */
export const advancedContentBytes = (
  bytes: number,
  removed: Iterable<Resource>,
  added: Iterable<Resource>,
): number => bytes - sumOf(removed) + sumOf(added)

/** Returns the bytes of a whole content tree. */
export const contentBytes = (tree: ContentTree): number => sumOf(tree.values())

/**
 * Refuses content that would be larger than allowed, unless it was no smaller before (AG72).
 * @throws SCHEMA_VALIDATION_FAILED
 */
export function refuseLargerContent(limit: number, before: number, after: number): void {
  if (after <= limit || after <= before) return
  const message = `The content would be ${after} bytes of JSON. At most ${limit} bytes are allowed; remove or shorten something first.`
  throw new PlatformError('SCHEMA_VALIDATION_FAILED', message)
}
