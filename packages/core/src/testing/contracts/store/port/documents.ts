import { describe, onTestFinished } from 'vitest'
import type { Documents } from '../../../../store/documents.ts'
import type { DocumentsFactory } from '../tools.ts'
import { testBatches } from './batches.ts'
import { testLasting } from './lasting.ts'
import { testLists } from './lists.ts'
import { testRaces } from './races.ts'

/**
 * Declares the tests of `Documents`, the port of a database (rules SX200 to SX218): what a database can get wrong. To
 * be called at the top level of a vitest file:
 *
 *     testDocuments('mine', { open: async () => openMyDocuments() })
 *
 * @param runs how often the property tests try
 */
export function testDocuments(name: string, factory: DocumentsFactory, runs = 40): void {
  const closing = async (opening: Promise<Documents>): Promise<Documents> => {
    const documents = await opening
    onTestFinished(async () => factory.close?.(documents))
    return documents
  }
  const open = () => closing(factory.open())
  const { beside, reopen } = factory
  describe(`${name}: documents`, () => {
    testBatches(open, runs)
    testRaces(open)
    testLists(open, runs)
    testLasting(open, {
      ...(reopen && { reopen: documents => closing(reopen(documents)) }),
      ...(beside && { beside: documents => closing(beside(documents)) }),
    })
  })
}
