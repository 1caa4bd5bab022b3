import { eachPage, type PageQuery } from '@colloquy/core'
import { z } from 'zod'
import type { Administration, Shown } from './administration.ts'
import { Failure } from './failure.ts'

/** Time limit of a response, milliseconds. */
const TIMEOUT = 30_000

const shown = z.record(z.string(), z.json())
const refusal = z.looseObject({ error_message: z.string() })
const many = z.array(shown)
const page = z.looseObject({ entries: many, next_cursor: z.string().nullable() })

const listEnd = z.looseObject({ next_cursor: z.string().nullable() })

const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())

/** Returns an input as it is sent: its end as ISO 8601. */
const sent = <Input extends { readonly expiresAt?: number | null }>(input: Input): object =>
  typeof input.expiresAt === 'number' ? { ...input, expiresAt: iso(input.expiresAt) } : input

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
    throw new Failure(`${url} answered ${response.status} with something other than JSON.`)
  }
}

/** Names the other server without path and query, which may hold what no terminal should show. */
function refuseRedirect({ headers, status }: Response, url: string): void {
  if (status < 300 || status >= 400) return
  const to = headers.get('location') ?? ''
  const where = URL.canParse(to, url) ? ` to ${new URL(to, url).origin}` : ''
  throw new Failure(
    `${url} redirects${where}, which is not followed. Name the server's own address with --url.`,
  )
}

/**
 * Returns the Operator API of a server, with an operator key. It is long because it is a list: one call for each
 * command.
 *
 * @param url of the server, without `/operator/v1`
 */
export function overHttp(url: string, key: string): Administration {
  const base = `${url.replace(/(?<!\/)\/+$/, '')}/operator/v1`

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const target = base + path
    const response = await fetch(target, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      // Followed, a redirect would carry what the body holds to an address that nobody named.
      ...{ redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      throw new Failure(`${target} cannot be reached: ${cause instanceof Error ? cause.message : cause}.`)
    })
    refuseRedirect(response, target)
    const answer = await readAnswer(response, target)
    if (response.ok) return answer
    const said = refusal.safeParse(answer)
    throw new Failure(
      said.success ? said.data.error_message : `${target} answered ${response.status} without saying why.`,
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
  /** A list as a whole. */
  async function list(path: string, field: string, accountId?: string): Promise<readonly Shown[]> {
    const rows: Shown[] = []
    const read = async (query: PageQuery) => {
      const answer = await call('GET', path + queryOf({ accountId, ...query }))
      const [found, end] = [
        parsed(z.looseObject({ [field]: many }), answer, base),
        parsed(listEnd, answer, base),
      ]
      const rows = found[field] ?? []
      // Whatever a server says, a list in which nothing comes has an end.
      return { rows, cursor: rows.length === 0 ? null : end.next_cursor }
    }
    for await (const page of eachPage(read)) for (const row of page.rows) rows.push(row)
    return rows
  }
  const tokenKeys = async (method: string, path: string, body?: object): Promise<readonly Shown[]> =>
    parsed(z.looseObject({ tokenKeys: many }), await call(method, path, body), base).tokenKeys
  const named = (path: string, id: string): string => `${path}/${encodeURIComponent(id)}`

  return {
    createAccount: input => one('POST', '/accounts', input),
    accounts: () => list('/accounts', 'accounts'),
    createApiKey: input => one('POST', '/api-keys', sent(input)),
    apiKeys: accountId => list('/api-keys', 'apiKeys', accountId),
    revokeApiKey: async id => void (await call('DELETE', named('/api-keys', id))),
    createConnector: input => one('POST', '/connectors', sent(input)),
    connectors: accountId => list('/connectors', 'connectors', accountId),
    connector: id => one('GET', named('/connectors', id)),
    updateConnector: (id, change) => one('PATCH', named('/connectors', id), sent(change)),
    revokeConnector: async id => void (await call('DELETE', named('/connectors', id))),
    rotateContextKeys: (id, rotation) => one('POST', `${named('/connectors', id)}/context-keys`, rotation),
    revokeContextKeys: async id => void (await call('DELETE', `${named('/connectors', id)}/context-keys`)),
    tokenKeys: () => tokenKeys('GET', '/token-keys'),
    rotateTokenKeys: rotation => tokenKeys('POST', '/token-keys/rotate', rotation),
    async auditLog({ since, until, ...query }) {
      const moments = { since: iso(since), until: iso(until) }
      return parsed(page, await call('GET', `/audit-log${queryOf({ ...query, ...moments })}`), base)
    },
    store: null,
    close: async () => {},
  }
}
