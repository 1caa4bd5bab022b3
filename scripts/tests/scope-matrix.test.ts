import { expect, it } from 'vitest'
import { scopeMatrixPage } from '../../e2e/tests/scope-matrix/page.ts'
import { keptScopeMatrixPage } from '../document.ts'

it('SM9 docs/reference/scope-matrix.md is the page that the matrix makes', async () => {
  expect(await keptScopeMatrixPage()).toBe(scopeMatrixPage())
})
