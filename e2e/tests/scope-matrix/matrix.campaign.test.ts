import { routes } from '@colloquy/core/transport'
import { describe, expect, test } from 'vitest'
import { CELLS, isGranted, type RouteCell } from '../../scope-matrix/cells.ts'
import { ROWS } from '../../scope-matrix/rows.ts'
import { accountState, stateOf } from '../../scope-matrix/state.ts'
import { FAMILIES, FAMILY_NAMES, type FamilyName } from '../../scope-matrix/table.ts'
import { askGranted, askRefused, UNKNOWN } from './asking.ts'
import { serveWorld } from './client.ts'
import { RECIPE_NAMES } from './requests.ts'

const { world, server } = await serveWorld()

/** What a cell asks, in one line. */
const told = ({ route, credential, host, account, agent, thing }: RouteCell): string =>
  `${route} | ${credential.name} | ${host.name} | account: ${account} | agent: ${agent} | thing: ${thing}`

/** The cells that were answered otherwise than the table says. */
async function wrong(cells: readonly RouteCell[], asked: (cell: RouteCell) => Promise<{ status: number }>) {
  const found: string[] = []
  const waiting = [...cells]
  const work = async (): Promise<void> => {
    for (let cell = waiting.shift(); cell !== undefined; cell = waiting.shift()) {
      const { status } = await asked(cell)
      if (status !== cell.expected) found.push(`${told(cell)}: ${status}, not ${cell.expected}`)
    }
  }
  await Promise.all(Array.from({ length: 16 }, work))
  return found
}

const credentialOf = (family: FamilyName): string => {
  const { kind, keyAlone = false, line = false, token = false } = FAMILIES[family]
  if (keyAlone) return 'host_key'
  if (line) return family === 'calls' ? 'line_key' : 'key_and_line'
  return token ? 'key_and_token' : kind
}

/** The paths of each family (contract/README.md). */
const PATHS: Readonly<Record<FamilyName, RegExp>> = {
  agents: /^\/v1\/(?:accounts|agents)\/(?!.*\/debug-chat)/,
  'debug-chat': /^\/v1\/agents\/:agentId\/debug-chat/,
  chat: /^\/v1\/:account_id\/:project_id\/chat\//,
  texts: /^\/v1\/outbound-sms$/,
  calls: /^\/v1\/outbound-calling/,
  'handoff-state': /\/handoff_state$/,
  'number-reservation': /\/dni-reservation$/,
  webhooks: /^\/v1\/webhook-endpoints/,
  alerts: /^\/v1\/alert/,
  'conversations-v1': /^\/v1\/:account_id\/:project_id\/conversations$/,
  'conversations-v3': /^\/v3\//,
  concurrency: /^\/v1\/:account_id\/.*\/concurrency$/,
  'external-events': /^\/v1\/external-events\//,
  desk: /^\/desk\//,
  operator: /^\/operator\//,
}

describe('the scope matrix', () => {
  test('SM6 every route that a key opens is of the family that its path says, and takes the key of that family', () => {
    const served = routes
      .filter(({ family }) => family !== 'messaging')
      .map(({ family, credential, method, path }) => `${family} ${credential} ${method} ${path}`)
    const named = routes.flatMap(({ method, path }) => {
      const families = FAMILY_NAMES.filter(family => PATHS[family].test(path))
      return families.map(family => `${family} ${credentialOf(family)} ${method} ${path}`)
    })
    expect([...served].sort()).toEqual([...named].sort())
    const names = FAMILY_NAMES.flatMap(family => Object.keys(ROWS[family]))
    expect(RECIPE_NAMES.filter(name => !names.includes(name))).toEqual([])
  })

  test.each(FAMILY_NAMES)(
    'SM3 refused cells of %s are answered as the table says, and change nothing',
    async family => {
      const before = await stateOf(world)
      const cells = CELLS.filter(cell => cell.family === family && !isGranted(cell))
      expect(await wrong(cells, cell => askRefused(world, server.send, cell))).toEqual([])
      expect(cells.length).toBeGreaterThan(100)
      expect(await stateOf(world)).toBe(before)
      expect(world.errors).toEqual([])
    },
  )

  test("SM4 what is somebody else's and what never was are answered with the same words", async () => {
    const asked = CELLS.filter(
      ({ thing, credential, family, expected }) =>
        thing !== 'there' && expected === 404 && credential.name === FAMILIES[family].kind,
    )
    const words = async (cell: RouteCell): Promise<string> => {
      const { status, text } = await askRefused(world, server.send, cell)
      const named = [UNKNOWN, ...Object.values(world.agents).flatMap(({ ids }) => Object.values(ids))]
      const plain = named.reduce((said, id) => said.replaceAll(id, 'that id'), text)
      return `${status} ${plain.replace(/"error_id":"[^"]*"/, '')}`
    }
    const foreign = asked.filter(({ thing }) => thing.startsWith("somebody else's"))
    expect(foreign.length).toBeGreaterThan(50)
    for (const cell of foreign) {
      const unknown = asked.find(({ route, thing }) => route === cell.route && thing === 'unknown')
      expect(unknown).toBeDefined()
      // With more than one name in a path the first one that is not there is told.
      const isLast = cell.row.things === 1 || cell.thing !== "somebody else's"
      if (unknown !== undefined && isLast) expect(await words(cell)).toBe(await words(unknown))
      else expect(await words(cell)).toMatch(/^404 /)
    }
  })

  // From the last family to the first: when an agent is deleted all that was said with it ends.
  test.each([...FAMILY_NAMES].reverse())(
    'SM6 every cell of %s that is to be granted is carried out, and changes nothing of another account',
    async (family: FamilyName) => {
      const cells = CELLS.filter(cell => cell.family === family && isGranted(cell))
      const before = await accountState(world, 'other')
      const found: string[] = []
      for (const cell of cells) {
        const { status, text } = await askGranted(world, server.send, cell)
        if (status !== cell.expected) found.push(`${told(cell)}: ${status}, not ${cell.expected}: ${text}`)
      }
      expect(found).toEqual([])
      expect(new Set(cells.map(({ route }) => route)).size).toBe(Object.keys(ROWS[family]).length)
      expect(await accountState(world, 'other')).toBe(before)
      expect(world.errors).toEqual([])
    },
    120_000,
  )
})
