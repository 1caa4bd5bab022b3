import { api } from '../api.ts'
import { account, may } from '../session.ts'
import { say } from '../texts/doers.ts'
import { useResource } from './resource.ts'

/** The most pages of API keys that are read to find names. */
const PAGES = 5

const isKey = (by: string): boolean => by.startsWith('KEY-')

/** Adds the names of these keys. Operators alone may read them. */
async function addKeys(names: Map<string, string>, ids: readonly string[], signal: AbortSignal) {
  const accountId = account.value?.id ?? ''
  let cursor: string | null = ''
  for (let page = 0; page < PAGES && cursor !== null && ids.some(id => !names.has(id)); page++) {
    const from: { readonly cursor?: string } = cursor === '' ? {} : { cursor }
    const read = await api.listApiKeys({ accountId, ...from }, { signal })
    for (const { id, name } of read.apiKeys) if (name !== '') names.set(id, name)
    cursor = read.next_cursor
  }
}

/**
 * Returns the words for those who did something, as records name them: a person by name, an API key and an alert rule
 * by id. The name is shown in place of an id where the reader may read it.
 *
 * @param guards ids of alert rules that may be among them. @default none
 */
export function useDoers(doers: readonly string[], guards: readonly string[] = []): (by: string) => string {
  const keys = may('operator') ? doers.filter(isKey) : []
  const rules = guards.filter(id => doers.includes(id))
  const { value: names } = useResource(
    async signal => {
      const found = new Map<string, string>()
      if (rules.length > 0)
        for (const { id, name } of (await api.listAlertRules({}, { signal })).data) found.set(id, name)
      if (keys.length > 0) await addKeys(found, keys, signal)
      return found
    },
    [account.value?.id, ...[keys, rules].map(ids => [...new Set(ids)].sort().join(' '))],
  )
  return by => {
    const name = names?.get(by) ?? by
    if (isKey(by)) return say('key', { name })
    if (guards.includes(by)) return say('rule', { name })
    return by === 'library' || by === 'platform' ? say(by) : by
  }
}
