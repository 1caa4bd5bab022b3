import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '@colloquy/core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createOneTimeLink, LINK } from '../src/console/one-time-link.ts'
import { type KeptSession, noFile, openSessionFile } from '../src/console/session-file.ts'
import { createSessions, SESSION } from '../src/console/sessions.ts'
import { startServer } from '../src/server.ts'
import { readSettings } from '../src/settings.ts'

// Slow: it starts the standalone server anew for several of its tests.

const OPERATOR_KEY = 'operator-key-of-the-tests'

async function start(
  environment: NodeJS.ProcessEnv = {},
  whenOver: (close: () => Promise<void>) => void = onTestFinished,
) {
  const settings = readSettings({
    PORT: '0',
    COLLOQUY_DATABASE: ':memory:',
    COLLOQUY_OPERATOR_KEY: OPERATOR_KEY,
    ...environment,
  })
  const server = await startServer(settings, { log: silentLog, show: () => {} })
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    closed ??= server.close()
    return closed
  }
  whenOver(close)
  const { url, signInUrl } = server
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, { redirect: 'manual', ...init })
  const signIn = (key: string, headers: Record<string, string> = {}, name = 'Ada') =>
    ask('/sign-in', { method: 'POST', body: new URLSearchParams({ key, name }), headers })
  const useLink = (once: string, name = 'Ada') =>
    ask('/sign-in', { method: 'POST', body: new URLSearchParams({ once, name }) })
  const me = (cookie: string) => ask('/api/console/v1/me', { headers: { 'x-console': '1', cookie } })
  const operate = (path: string, init: RequestInit = {}) =>
    ask(`/operator/v1${path}`, { ...init, headers: { authorization: `Bearer ${OPERATOR_KEY}` } })
  return { url, link: signInUrl?.slice(url.length) ?? '', ask, signIn, useLink, me, operate, close }
}

/** A server that tests share which need none of their own. */
let shared: Awaited<ReturnType<typeof start>>
beforeAll(async () => {
  shared = await start({}, () => {})
})
afterAll(() => shared.close())

const cookieOf = (answer: Response): string =>
  /^[^;]*/.exec(answer.headers.get('set-cookie') ?? '')?.[0] ?? ''

test('SS33 / is the console, and everything else is where it was', async () => {
  const { ask } = shared
  const page = await ask('/')
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const html = await page.text()
  const [, script = ''] = /src="\.(\/assets\/[^"]*\.js)"/.exec(html) ?? []
  expect((await ask(script)).status).toBe(200)
  const refused = await ask('/api/console/v1/me', { headers: { 'x-console': '1' } })
  expect([refused.status, await refused.json()]).toMatchObject([401, { sign_in_url: './sign-in' }])
  expect((await ask('/welcome')).status).toBe(200)
  expect((await ask('/demo')).status).toBe(200)
  expect((await ask('/docs')).status).toBe(200)
  expect((await ask('/openapi.json')).status).toBe(200)
  expect((await ask('/api/v1/access-token', { method: 'POST' })).status).toBe(401)
  expect((await ask('/v1/agents/PROJECT-DEMO')).status).toBe(401)
})

test('SS33 the link asks for a name and signs in once, and no look at it uses it up', async () => {
  const { ask, link, me, useLink } = await start()
  const once = new URLSearchParams(link.slice(link.indexOf('?'))).get('once') ?? ''
  expect((await ask(link, { method: 'HEAD' })).status).toBe(200)
  const form = await ask(link)
  expect([form.status, form.headers.get('set-cookie')]).toEqual([200, null])
  const html = await form.text()
  expect(html).toContain(`name="once" value="${once}"`)
  expect(html).not.toContain('name="key"')
  const unnamed = await useLink(once, ' \u200b ')
  expect([unnamed.status, unnamed.headers.get('set-cookie')]).toEqual([400, null])
  expect(await unnamed.text()).toContain(`name="once" value="${once}"`)
  const signedIn = await useLink(once)
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, './'])
  const answer = await me(cookieOf(signedIn))
  expect([answer.status, await answer.json()]).toMatchObject([
    200,
    { person: { name: 'Ada' }, sign_out_url: './sign-out', accounts: [{ id: 'ws-demo' }] },
  ])
  for (const again of [await ask(link), await useLink(once)]) {
    expect([again.status, again.headers.get('set-cookie')]).toEqual([403, null])
    expect(await again.text()).toContain('The link was used before')
  }
  expect((await ask('/sign-in?once=')).status).toBe(403)
  expect((await useLink('')).status).toBe(403)
})

test('SS34 two people with one key are two names, which the audit log and releases show', async () => {
  const { ask, signIn, operate } = await start()
  /** Makes an agent and releases it. */
  async function releaseAs(name: string, newAgentId: string): Promise<unknown> {
    const cookie = cookieOf(await signIn(OPERATOR_KEY, {}, name))
    const send = (path: string, body: object) =>
      ask(`/api/v1/agents/${path}`, {
        ...{ method: 'POST', body: JSON.stringify(body) },
        headers: { cookie, 'x-console': '1', 'content-type': 'application/json' },
      })
    await send('PROJECT-DEMO/duplicate', { newAgentId, newAgentName: newAgentId })
    return (await send(`${newAgentId}/deployments/publish`, { deploymentMessage: 'First' })).json()
  }
  expect([await releaseAs('Ada', 'PROJECT-A'), await releaseAs('Björn', 'PROJECT-B')]).toMatchObject([
    { deployment: { createdBy: 'Ada' } },
    { deployment: { createdBy: 'Björn' } },
  ])
  const audited = await operate('/audit-log?action=agent.duplicated')
  const { entries } = (await audited.json()) as { entries: readonly { actor: object }[] }
  expect(entries.slice(0, 2).map(({ actor }) => actor)).toEqual([
    expect.objectContaining({ type: 'person', id: 'Björn', name: 'Björn' }),
    expect.objectContaining({ type: 'person', id: 'Ada', name: 'Ada' }),
  ])
})

test('SS34 the name is kept for the next time, through signing out and twelve hours', async () => {
  const { ask, signIn } = shared
  const name = 'Ada "B." Ünal; <c>'
  const cookie = cookieOf(await signIn(OPERATOR_KEY, {}, ` ${name} `))
  const out = cookieOf(await ask('/sign-out', { headers: { cookie } }))
  const shown = await (await ask('/sign-in', { headers: { cookie: out } })).text()
  expect(shown).toContain('value="Ada &quot;B.&quot; Ünal; &lt;c&gt;"')
  const odd = await ask('/sign-in', { headers: { cookie: 'colloquy_console=.%E0%A4%A' } })
  expect([odd.status, await odd.text()]).toEqual([200, expect.stringContaining('name="name" value=""')])
})

test.each(['', '   ', '\u200b', 'a\u202eb', 'x'.repeat(101)])(
  'SS34 %j is no name, and the form keeps it to be changed',
  async name => {
    const { signIn } = shared
    const refused = await signIn(OPERATOR_KEY, {}, name)
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([400, null])
    const html = await refused.text()
    expect(html).toContain('The name must have 1 to 100 characters')
    expect(html).not.toContain(OPERATOR_KEY)
  },
)

test('SS34 the form is in German for those who read that first', async () => {
  const { ask } = shared
  const german = await (await ask('/sign-in', { headers: { 'accept-language': 'de-CH,en;q=0.8' } })).text()
  expect(german).toMatch(/<html lang="de">[\s\S]*<label for="name">Ihr Name</)
})

test('SS33 the link works for 15 minutes, and for nobody who guesses', () => {
  let now = 0
  const late = createOneTimeLink(() => now)
  expect(late.token).toMatch(/^[\w-]{43}$/)
  expect([late.take(''), late.take('x'.repeat(43))]).toEqual([false, false])
  now = LINK
  expect(late.take(late.token)).toBe(false)
  const inTime = createOneTimeLink(() => now)
  now += LINK - 1
  expect([inTime.take(inTime.token), inTime.take(inTime.token)]).toEqual([true, false])
})

test('SS33 COLLOQUY_CONSOLE=off leaves it out', async () => {
  const { ask, link, signIn } = await start({ COLLOQUY_CONSOLE: 'off' })
  expect(link).toBe('')
  expect((await ask('/api/console/v1/me', { headers: { 'x-console': '1' } })).status).toBe(404)
  expect((await signIn(OPERATOR_KEY)).status).toBe(404)
})

test('SS34 the operator key signs in, with a cookie that no script and no other site gets', async () => {
  const { signIn, me, ask } = shared
  const signedIn = await signIn(` ${OPERATOR_KEY}\n`)
  expect(signedIn.status).toBe(303)
  const cookie = signedIn.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(
    /^colloquy_console=[\w-]{43}\.Ada; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Strict$/,
  )
  expect(await (await me(`other=1; ${cookieOf(signedIn)}`)).json()).toMatchObject({
    person: { roles: ['reader', 'author', 'releaser', 'desk', 'operator'] },
  })
  expect((await me('colloquy_console=')).status).toBe(401)
  const page = await ask('/sign-in')
  const html = await page.text()
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-\S+'; img-src data:; form-action 'self';/,
  )
  expect(html).not.toMatch(/<script|\son\w+=|\sstyle=|https?:|url\(/)
  expect(html).not.toContain(OPERATOR_KEY)
})

test('SS34 over TLS the cookie is for TLS alone', async () => {
  const { signIn } = await start({ TRUST_PROXY: '1' })
  const headers = {
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'console.example',
    'x-forwarded-for': '203.0.113.9',
  }
  expect((await signIn(OPERATOR_KEY, headers)).headers.get('set-cookie')).toMatch(/; Secure$/)
})

test.each([
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
  ['another origin', { origin: 'https://evil.example' }],
  ['an origin that is hidden', { origin: 'null' }],
])('SS34 the form of %s signs nobody in', async (_, headers) => {
  const { signIn } = shared
  const answer = await signIn(OPERATOR_KEY, headers)
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null])
})

test('SS34 wrong keys are refused, and limited by address; so is what is no form', async () => {
  const { signIn, ask } = await start({ COLLOQUY_WORKSPACE_KEY: 'workspace-key-of-the-tests' })
  expect((await signIn('workspace-key-of-the-tests')).status).toBe(403)
  expect((await signIn('')).status).toBe(400)
  expect((await signIn('x'.repeat(10_000))).status).toBe(413)
  expect((await ask('/sign-in', { method: 'POST', body: '{}' })).status).toBe(400)
  expect((await ask('/sign-in', { method: 'DELETE' })).status).toBe(405)
  const wrong = await signIn('<b>not a key</b>')
  expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null])
  expect(await wrong.text()).not.toContain('not a key')
  const tries = () => Promise.all(Array.from({ length: 100 }, (_, index) => signIn(`wrong key ${index}`)))
  let limited: Response | undefined
  while (limited === undefined) limited = (await tries()).find(({ status }) => status === 429)
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('SS34 signing out ends the session, and another site cannot do it', async () => {
  const { ask, me, signIn } = shared
  const cookie = cookieOf(await signIn(OPERATOR_KEY))
  expect((await ask('/sign-out', { headers: { cookie, 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
  expect((await me(cookie)).status).toBe(200)
  const out = await ask('/sign-out', { headers: { cookie } })
  expect([out.status, out.headers.get('location')]).toEqual([303, './sign-in'])
  expect(out.headers.get('set-cookie')).toMatch(/^colloquy_console=\.Ada; Path=\/;/)
  expect((await me(cookie)).status).toBe(401)
})

test('SS34 a session ends with the key that opened it', async () => {
  const { me, signIn, operate } = await start()
  const cookie = cookieOf(await signIn(OPERATOR_KEY))
  expect((await me(cookie)).status).toBe(200)
  const { apiKeys } = (await (await operate('/api-keys')).json()) as {
    apiKeys: readonly { id: string; kind: string }[]
  }
  const id = apiKeys.find(({ kind }) => kind === 'operator')?.id
  expect((await operate(`/api-keys/${id}`, { method: 'DELETE' })).status).toBe(204)
  expect((await me(cookie)).status).toBe(401)
})

test('SS34 a session lasts twelve hours, and of a thousand the oldest makes room', () => {
  let now = 0
  const watched = new Set<string>()
  const watchKey = (keyId: string) => {
    watched.add(keyId)
    return () => void watched.delete(keyId)
  }
  const sessions = createSessions({ now: () => now, watchKey, file: noFile })
  const first = sessions.open('Ada', 'key')
  now = SESSION - 1
  expect([sessions.find(first)?.name, watched.size]).toEqual(['Ada', 1])
  now = SESSION
  expect([sessions.find(first), watched.size]).toEqual([null, 0])
  const oldest = sessions.open('Ada', null)
  const others = Array.from({ length: 1_000 }, () => sessions.open('Ada', null))
  expect(sessions.find(oldest)).toBe(null)
  expect(others.every(token => sessions.find(token)?.name === 'Ada')).toBe(true)
  sessions.close()
  expect(others.some(token => sessions.find(token) !== null)).toBe(false)
})

test('SS135 sessions outlive the server, until somebody signs out or the key ends; their file opens nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sessions-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const environment = { COLLOQUY_DATABASE: join(folder, 'a.db') }
  const first = await start(environment)
  const kept = cookieOf(await first.signIn(OPERATOR_KEY))
  const out = cookieOf(await first.signIn(OPERATOR_KEY, {}, 'Cem'))
  await first.ask('/sign-out', { headers: { cookie: out } })
  await first.close()
  const path = join(folder, 'a.db.sessions')
  const [, token = ''] = /=([\w-]{43})\./.exec(kept) ?? []
  expect(token).toHaveLength(43)
  expect(readFileSync(path, 'utf8')).not.toContain(token)
  expect(statSync(path).mode & 0o777).toBe(0o600)

  const second = await start(environment)
  expect(await (await second.me(kept)).json()).toMatchObject({ person: { name: 'Ada' } })
  expect((await second.me(out)).status).toBe(401)
  const { apiKeys } = (await (await second.operate('/api-keys')).json()) as {
    apiKeys: readonly { id: string; kind: string }[]
  }
  const id = apiKeys.find(({ kind }) => kind === 'operator')?.id
  expect((await second.operate(`/api-keys/${id}`, { method: 'DELETE' })).status).toBe(204)
  expect((await second.me(kept)).status).toBe(401)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual([])
})

test('SS135 a file that holds no sessions is none, and one that cannot be written is told', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sessions-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const told: unknown[] = []
  const file = openSessionFile(join(folder, 'a.db'), error => void told.push(error))
  expect(file.read()).toEqual([])
  for (const odd of ['', '{', '[{"hash": 7}]', '7']) {
    writeFileSync(join(folder, 'a.db.sessions'), odd)
    expect(file.read()).toEqual([])
  }
  openSessionFile(join(folder, 'none', 'a.db'), error => void told.push(error)).write([])
  expect(told).toHaveLength(1)
})

test('SS135 of what is kept, what is too old or has lost its key is no session', () => {
  let written: readonly KeptSession[] = []
  const file = {
    read: () => written,
    write(now: readonly KeptSession[]) {
      written = now
    },
  }
  const parts = { now: () => 1, watchKey: () => () => {}, file }
  const before = createSessions(parts)
  const [token, other] = [before.open('Ada', 'gone'), before.open('Ben', null)]
  before.close()
  const ends = (_: string, end: () => void) => {
    queueMicrotask(end)
    return () => {}
  }
  const after = createSessions({ ...parts, watchKey: ends })
  return Promise.resolve().then(() => {
    expect([after.find(token), after.find(other)?.name]).toEqual([null, 'Ben'])
    const late = createSessions({ ...parts, now: () => SESSION + 1 })
    expect(late.find(other)).toBe(null)
  })
})
