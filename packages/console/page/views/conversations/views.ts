import type { Query } from '../../address.ts'

/** Filters that the people of an account share under a name. */
export interface View {
  readonly name: string
  readonly filters: Readonly<Record<string, string>>
}

/** The place of a list: the agent in its path, if one was chosen, and its filters. */
export interface Place {
  readonly agentId: string | undefined
  readonly query: Query
}

/** The filter that stands for the agent in the path. */
const AGENT = 'agent'

/** Returns the filters of a place, as a view holds them. */
export function filtersOf({ agentId, query }: Place): Readonly<Record<string, string>> {
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value] as const] : []))
  return { ...Object.fromEntries(given), ...(agentId === undefined ? {} : { [AGENT]: agentId }) }
}

/** Returns the place of a view. */
export function placeOf({ [AGENT]: agentId, ...query }: View['filters']): Place {
  return { agentId, query }
}

/** Reports whether a view has these filters, and no others. */
export function isAt({ filters }: View, now: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(now)
  return names.length === Object.keys(filters).length && names.every(name => now[name] === filters[name])
}

/** Returns the view that a name replaces: names are the same in any case. */
export const replacedBy = (views: readonly View[], name: string): View | undefined => {
  const key = (text: string): string => text.normalize('NFKC').toLowerCase()
  return views.find(view => key(view.name) === key(name.trim()))
}
