import { environmentOf } from '../../environments.ts'
import { instantOf } from '../../moments.ts'

/** What the list is narrowed to, as it stands in the address. */
export type Filters = Readonly<Record<string, string>>

/** What is asked of the server for filters of the address. What is not known is left out. */
export function questionOf({ environment, state, from, to, find, by }: Filters) {
  const start = instantOf(from)
  const end = instantOf(to)
  return {
    client_env: environmentOf(environment, 'live'),
    ...(state === 'running' || state === 'ended' ? { in_progress: state === 'running' } : {}),
    ...(start === undefined ? {} : { start_time: start }),
    ...(end === undefined ? {} : { end_time: end }),
    ...(find === undefined || find === ''
      ? {}
      : { query: find, query_type: by === 'meaning' ? ('semantic' as const) : ('transcript' as const) }),
  }
}
