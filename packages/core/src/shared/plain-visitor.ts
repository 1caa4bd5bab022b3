import { plainVisitorSays } from '../domain/agent/plain-visitor.ts'
import type { TestVisitor } from '../ports/test-visitor.ts'

/** Returns a visitor for tests that needs no language model, and always says the same (TE86). */
export const createPlainVisitor = (): TestVisitor => ({ version: 'plain 1', say: plainVisitorSays })
