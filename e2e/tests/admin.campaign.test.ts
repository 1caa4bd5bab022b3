import { readFile } from 'node:fs/promises'
import { CREDENTIALS, freshDatabase, startStandalone } from '@colloquy/test-support/standalone'
import { describe, expect, test } from 'vitest'
import { runAdminCommand } from './support/admin.ts'

const ONLY_OVER_A_FILE = /^(audit purge|conversations|visitor)/

/** The commands of the page, a line each, without the program's name. */
async function documented(): Promise<readonly string[]> {
  const page = await readFile(new URL('../../docs/guides/admin.md', import.meta.url), 'utf8')
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, body = '']) => body)
  return blocks.flatMap(block => block.trim().split('\n')).map(line => line.replace(/^colloquy-admin /, ''))
}

/** Splits a line as a shell does, as far as the page needs it. */
const words = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

describe('the command line and a running server', () => {
  test('CL1, CL2 and CL6 every command on the page runs, over the server and over its file meanwhile', async () => {
    const database = await freshDatabase()
    const { url } = await startStandalone({ ...CREDENTIALS, COLLOQUY_DATABASE: database })
    const remote = { COLLOQUY_URL: url, COLLOQUY_OPERATOR_KEY: CREDENTIALS.COLLOQUY_OPERATOR_KEY }
    const lines = await documented()
    expect(lines.length).toBeGreaterThan(14)
    for (const [place, env] of Object.entries({ remote, file: { COLLOQUY_DATABASE: database } })) {
      const ids = new Map<string, string>()
      for (const line of lines) {
        if (place === 'remote' && ONLY_OVER_A_FILE.test(line)) continue
        const own = line.replaceAll('harbour', `harbour-${place}`)
        const named = own.replace(/(KEY|CONNECTOR)-…/g, (_, kind) => ids.get(kind) ?? 'none')
        const outcome = await runAdminCommand(words(named), env)
        const told =
          place === 'file' && line === 'token-keys rotate' ? /^note: .*COLLOQUY_TOKEN_SECRET/ : /^$/
        expect({ named, ...outcome }).toMatchObject({ named, code: 0, err: expect.stringMatching(told) })
        const made = /^id +((KEY|CONNECTOR)-\S+)/m.exec(outcome.out)
        if (made !== null) ids.set(made[2] ?? '', made[1] ?? '')
      }
      expect([...ids.keys()].sort()).toEqual(['CONNECTOR', 'KEY'])
    }
    // Half a hundred programs are started one after the other, each of them compiled anew.
  })

  test('CL11 over the server and over its file, a key and a connector are given an end, which the connector can lose', async () => {
    const database = await freshDatabase()
    const { url } = await startStandalone({ ...CREDENTIALS, COLLOQUY_DATABASE: database })
    const remote = { COLLOQUY_URL: url, COLLOQUY_OPERATOR_KEY: CREDENTIALS.COLLOQUY_OPERATOR_KEY }
    for (const env of [remote, { COLLOQUY_DATABASE: database }]) {
      const admin = async (...args: readonly string[]) => {
        const { code, out, err } = await runAdminCommand([...args, '--json'], env)
        expect({ code, err }).toEqual({ code: 0, err: '' })
        return JSON.parse(out)
      }
      const ends = ['--expires-at', '2999-03-01T18:00Z']
      const expiresAt = '2999-03-01T18:00:00.000Z'
      const key = await admin('keys', 'create', '--kind', 'desk', '--account', 'demo', ...ends)
      expect(key).toMatchObject({ expiresAt })
      const owner = ['--account', 'demo', '--agent', 'PROJECT-DEMO', '--environment', 'live']
      const { id } = await admin('connectors', 'create', ...owner, '--host', 'hotel.example', ...ends)
      const listed = async () =>
        (await admin('connectors', 'list')).find((connector: { id: string }) => connector.id === id)
      expect(await listed()).toMatchObject({ expiresAt })
      await admin('connectors', 'update', id, '--name', 'Renamed')
      expect(await listed()).toMatchObject({ name: 'Renamed', expiresAt })
      await admin('connectors', 'update', id, '--expires-at', 'none')
      expect(await listed()).toMatchObject({ expiresAt: null })
      await admin('connectors', 'update', id, '--expires-at', '2999-12-31')
      expect(await listed()).toMatchObject({ expiresAt: '2999-12-31T00:00:00.000Z' })
      const over = await runAdminCommand(['connectors', 'update', id, '--expires-at', '2020-01-01'], env)
      expect(over).toMatchObject({ code: 1, err: expect.stringMatching(/expiresAt/) })
    }
  })

  test('CL6 CR5 a key that the tool issues and revokes in the file works in the server, and stops, at once', async () => {
    const database = await freshDatabase()
    const { url } = await startStandalone({ ...CREDENTIALS, COLLOQUY_DATABASE: database })
    const admin = async (...args: readonly string[]) => {
      const { code, out, err } = await runAdminCommand([...args, '--json'], { COLLOQUY_DATABASE: database })
      expect({ code, err }).toEqual({ code: 0, err: '' })
      return JSON.parse(out)
    }
    const { id, key } = await admin('keys', 'create', '--kind', 'workspace', '--account', 'demo')
    const status = async () =>
      (await fetch(`${url}/v1/accounts/demo/agents`, { headers: { 'x-api-key': key } })).status
    expect(await status()).toBe(200)
    await admin('keys', 'revoke', id, '--yes')
    expect(await status()).toBe(401)
    // What the server's own clients did and what the tool did stand in one log.
    const over = await fetch(`${url}/operator/v1/audit-log?resourceId=${id}`, {
      headers: { authorization: `Bearer ${CREDENTIALS.COLLOQUY_OPERATOR_KEY}` },
    })
    expect(await over.json()).toEqual({ ...(await admin('audit', 'list', '--resource', id)) })
    expect((await admin('audit', 'list', '--resource', id)).entries).toMatchObject([
      { action: 'api_key.revoked', actor: { name: expect.stringMatching(/^colloquy-admin/) } },
      { action: 'api_key.created' },
    ])
  })
})
