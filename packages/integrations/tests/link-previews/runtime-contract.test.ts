import { createMemoryStore } from '@colloquy/core/memory'
import { testRuntime } from '@colloquy/core/testing/contracts'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { withLinkPreviews } from '../../src/link-previews/index.ts'

testRuntime('with link previews', {
  make: () => withLinkPreviews(createRetrievalRuntime()),
  openStore: async () => createMemoryStore(),
})
