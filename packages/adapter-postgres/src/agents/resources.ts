import type { Resource, ResourceChange } from '@colloquy/core/domain'
import type { ResourceFilter } from '@colloquy/core/store'
import type { ChangeParameters, ResourceRow } from './revision-statements.ts'

/**
 * Changes as parameters of a statement; made while the caller's argument is still what it was. The last change of a
 * resource counts: a statement writes no row twice.
 */
export function encodeChanges(changes: readonly ResourceChange[]): ChangeParameters {
  const last = [...new Map(changes.map(change => [`${change.kind}/${change.id}`, change])).values()]
  return {
    kinds: last.map(({ kind }) => kind),
    ids: last.map(({ id }) => id),
    names: last.map(({ value }) => (value !== null && 'name' in value ? value.name : null)),
    values: last.map(({ value }) => (value === null ? null : JSON.stringify(value))),
  }
}

/** A row as the change that was written. */
export const toChange = ({ kind, id, value }: ResourceRow): ResourceChange => ({
  kind,
  id,
  value: value === null ? null : JSON.parse(value),
})

/** Rows as resources, without removed ones. */
export const toResources = (rows: readonly ResourceRow[]): readonly Resource[] =>
  rows.flatMap(({ kind, id, value }) => (value === null ? [] : [{ kind, id, value: JSON.parse(value) }]))

/** A filter as statements take it; null matches anything. */
export function conditionsOf({ kinds, keys, names }: ResourceFilter) {
  const parts =
    keys &&
    [...new Set(keys)].map(key => ({ key, slash: key.indexOf('/') })).filter(({ slash }) => slash >= 0)
  return {
    kinds: kinds ?? null,
    names: names ?? null,
    keys: parts && {
      kindOf: parts.map(({ key, slash }) => key.slice(0, slash)),
      idOf: parts.map(({ key, slash }) => key.slice(slash + 1)),
    },
  }
}
