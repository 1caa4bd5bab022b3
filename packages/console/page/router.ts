import { computed, signal } from '@preact/signals'
import { href, type Query, routeOf } from './address.ts'

export { href } from './address.ts'

const hash = signal(location.hash)
addEventListener('hashchange', () => {
  hash.value = location.hash
})

/** The current place of the page. */
export const route = computed(() => routeOf(hash.value))

export function go(path: readonly string[], query: Query = {}): void {
  location.hash = href(path, query)
}

/** Changes some of the query, without a step in the browser's history. */
export function setQuery(changes: Query): void {
  const { path, query } = route.value
  history.replaceState(null, '', href(path, { ...query, ...changes }))
  hash.value = location.hash
}
