import { expect, it } from 'vitest'
import { keptOwnershipPage, ownershipPage } from '../document.ts'

it('CM42 the diagram in docs/ownership.md is the one that the table makes', async () => {
  expect(await keptOwnershipPage()).toBe(ownershipPage())
})
