import { environmentOf } from '../../environments.ts'
import { instantOf } from '../../moments.ts'

/** Filters of the list, as in the address. */
export type Filters = Readonly<Record<string, string>>

/** Returns the query for filters of the address, without the search. Unknown filters are omitted. */
export function queryOf({ channel, environment, state, from, to, topic, variant, version }: Filters) {
  const start = instantOf(from)
  const end = instantOf(to)
  return {
    client_env: environmentOf(environment, 'live'),
    ...(state === 'running' || state === 'ended' ? { in_progress: state === 'running' } : {}),
    ...(start === undefined ? {} : { start_time: start }),
    ...(end === undefined ? {} : { end_time: end }),
    ...(channel?.trim() ? { channel: [channel.trim()] } : {}),
    ...(variant?.trim() ? { variant_name: variant.trim() } : {}),
    ...(version?.trim() ? { deployment_id: version.trim() } : {}),
    ...(topic?.trim() ? { topic: topic.trim() } : {}),
  }
}

/** Returns the query of a search, which needs a range of time: all of it by default. */
export const searchOf = (filters: Filters) => ({
  start_time: '1970-01-01',
  end_time: '9999-12-31',
  ...queryOf(filters),
  query: filters.find ?? '',
  query_type: filters.by === 'meaning' ? ('semantic' as const) : ('transcript' as const),
})
