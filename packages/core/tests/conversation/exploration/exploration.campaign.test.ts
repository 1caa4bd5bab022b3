import { readFile } from 'node:fs/promises'
import { explore } from '@colloquy/test-support/exploration/explore'
import { exploredRow } from '@colloquy/test-support/exploration/explored-table'
import { SETTINGS } from '@colloquy/test-support/exploration/settings'
import { expect, it } from 'vitest'

const PAGE = new URL('../../../../../docs/how-it-works/ownership.md', import.meta.url)

it.each(SETTINGS)(
  'CM40 every situation, every command, also twice, early and late ($name)',
  async setting => {
    const explored = explore(setting)
    console.log(`${setting.name}: ${explored.states} states, ${explored.transitions} decisions`)
    expect(explored.states).toBeGreaterThan(400)
    expect((await readFile(PAGE, 'utf8')).split('\n')).toContain(exploredRow(setting, explored))
  },
)
