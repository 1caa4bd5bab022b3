import { type Found, found, LONGEST_PATH, NOTHING } from './path.ts'
import { findInPayload } from './payload.ts'

/** The possible locations of an external event's id (contract/external-events.md). */
export const EVENT_ID_LOCATIONS = ['headers', 'querystring', 'payload'] as const
export type EventIdLocation = (typeof EVENT_ID_LOCATIONS)[number]

/** A webhook request's parts, as they came. */
export interface ExternalEventParts {
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Without the question mark. */
  readonly query: string
  readonly contentType: string
  readonly body: Uint8Array
}

/** Reads the event id at a place of the request (contract/external-events.md). */
export function extractEventId(
  location: EventIdLocation,
  path: string,
  { headers, query, contentType, body }: ExternalEventParts,
): Found {
  if (path === '' || path.length > LONGEST_PATH) return NOTHING
  switch (location) {
    case 'headers':
      return found(headerOf(headers, path))
    case 'querystring':
      return found(new URLSearchParams(query).get(path))
    case 'payload':
      return findInPayload(contentType, body, path)
  }
}

function headerOf(headers: ExternalEventParts['headers'], path: string): string | undefined {
  const wanted = path.toLowerCase()
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1]
}
