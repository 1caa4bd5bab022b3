import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { explore } from './explore.ts'
import { exploredRow } from './explored-table.ts'
import { SETTINGS } from './settings.ts'

const PAGE = new URL('../../../../../docs/how-it-works/ownership.md', import.meta.url)

it.each(SETTINGS)(
  'CM43 every situation, every command, also twice, early and late ($name)',
  { timeout: 60_000 },
  async setting => {
    const explored = explore(setting)
    console.log(`${setting.name}: ${explored.states} states, ${explored.transitions} decisions`)
    expect(explored.states).toBeGreaterThan(400)
    expect((await readFile(PAGE, 'utf8')).split('\n')).toContain(exploredRow(setting, explored))
  },
)
