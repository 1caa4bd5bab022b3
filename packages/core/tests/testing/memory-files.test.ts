import { testFiles } from '../../src/testing/contracts/index.ts'
import { createMemoryFiles } from '../../src/testing/index.ts'

testFiles('memory', {
  async open() {
    const files = createMemoryFiles()
    const stored = async () =>
      [...files.stored].flatMap(([id, bytes]) => [new TextEncoder().encode(id), bytes])
    return { files, stored }
  },
})
