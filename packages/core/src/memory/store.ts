import { type CopyableStore, createSequence, storeOver } from '../store.ts'
import { createMemoryDocuments } from './documents.ts'

/** Returns a store that keeps everything in this process's memory, for tests and first steps. Nothing outlives it. */
export function createMemoryStore(): CopyableStore {
  const nextSequence = createSequence(() => performance.timeOrigin + performance.now())
  return storeOver(createMemoryDocuments(), { nextSequence, random: Math.random }, async () => {})
}
