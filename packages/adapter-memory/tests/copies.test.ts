import { testCopies } from '@colloquy/core/testing/contracts'
import { createMemoryStore } from '../src/index.ts'

const open = async () => createMemoryStore()

testCopies('memory', { source: open, target: open })
