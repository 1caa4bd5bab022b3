import { explore } from '@colloquy/test-support/exploration/explore'
import { SETTINGS } from '@colloquy/test-support/exploration/settings'
import { expect, it } from 'vitest'

it.each(SETTINGS)('CM40 every situation, every command, also twice, early and late ($name)', setting => {
  const explored = explore(setting)
  console.log(`${setting.name}: ${explored.states} states, ${explored.transitions} decisions`)
  expect(explored.states).toBeGreaterThan(400)
})
