import { createMemoryStore } from '../../src/memory/index.ts'
import { testCopies } from '../../src/testing/contracts/index.ts'

const open = async () => createMemoryStore()

testCopies('memory', { source: open, target: open })
