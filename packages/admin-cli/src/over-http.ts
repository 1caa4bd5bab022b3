import { z } from 'zod'
import type { Administration, Shown } from './administration.ts'
import { Failure } from './failure.ts'

/** How long an answer may take, milliseconds. */
const TIMEOUT = 30_000

const shown = z.record(z.string(), z.json())
const refusal = z.looseObject({ error_message: z.string() })
const many = z.array(shown)
const page = z.looseObject({ entries: many, next_cursor: z.string().nullable() })

const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown, url: string): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new Failure(`What answers at ${url} is not the Operator API: ${z.prettifyError(result.error)}`)
}

async function readAnswer(response: Response, url: string): Promise<unknown> {
  const text = await response.text()
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    throw new Failure(`${url} answered ${response.status} with something that is no JSON`)
  }
}

/** The Operator API of a server, with an operator key. @param url of the server, without `/operator/v1` */
export function overHttp(url: string, key: string): Administration {
  const base = `${url.replace(/\/+$/, '')}/operator/v1`

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const target = base + path
    const response = await fetch(target, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      throw new Failure(`${target} cannot be reached: ${cause instanceof Error ? cause.message : cause}`)
    })
    const answer = await readAnswer(response, target)
    if (response.ok) return answer
    const said = refusal.safeParse(answer)
    throw new Failure(
      said.success ? said.data.error_message : `${target} answered ${response.status} without saying why`,
    )
  }
  const queryOf = (values: Readonly<Record<string, string | number | undefined>>): string => {
    const pairs = Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] satisfies [string, string]],
    )
    return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
  }
  const one = async (method: string, path: string, body?: object): Promise<Shown> =>
    parsed(shown, await call(method, path, body), base)
  const list = async (
    path: string,
    field: string,
    filter: Readonly<Record<string, string | undefined>>,
    method = 'GET',
    body?: object,
  ): Promise<readonly Shown[]> => {
    const answer = await call(method, path + queryOf(filter), body)
    return parsed(z.looseObject({ [field]: many }), answer, base)[field] ?? []
  }
  const named = (path: string, id: string): string => `${path}/${encodeURIComponent(id)}`

  return {
    createAccount: input => one('POST', '/accounts', input),
    accounts: () => list('/accounts', 'accounts', {}),
    createApiKey: input => one('POST', '/api-keys', input),
    apiKeys: accountId => list('/api-keys', 'apiKeys', { accountId }),
    revokeApiKey: async id => void (await call('DELETE', named('/api-keys', id))),
    createConnector: input => one('POST', '/connectors', input),
    connectors: accountId => list('/connectors', 'connectors', { accountId }),
    connector: id => one('GET', named('/connectors', id)),
    updateConnector: (id, change) => one('PATCH', named('/connectors', id), change),
    revokeConnector: async id => void (await call('DELETE', named('/connectors', id))),
    tokenKeys: () => list('/token-keys', 'tokenKeys', {}),
    rotateTokenKeys: rotation => list('/token-keys/rotate', 'tokenKeys', {}, 'POST', rotation),
    async auditLog({ since, until, ...query }) {
      const moments = { since: iso(since), until: iso(until) }
      return parsed(page, await call('GET', `/audit-log${queryOf({ ...query, ...moments })}`), base)
    },
    store: null,
    close: async () => {},
  }
}
