import { expect, it } from 'vitest'
import { keptOwnershipPage, ownershipPage } from '../document.ts'

it('CM42 the diagram in docs/how-it-works/ownership.md is the one that the table makes', async () => {
  const kept = await keptOwnershipPage()
  // Whether the figures are the newest ones is for CM43 to say.
  const figures = kept.split('\n').filter(line => line.startsWith('|'))
  expect(kept).toBe(ownershipPage(figures.join('\n')))
})
