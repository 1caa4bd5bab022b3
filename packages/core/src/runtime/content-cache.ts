import { LRUCache } from 'lru-cache'
import type { AgentContent } from '../ports/agent-runtime.ts'

/**
 * Caches the result of `build` for each revision's content. Concurrent callers wait for the same build (IX3). The cache
 * holds the `most` revisions that were requested last. A failure is not cached: the next call builds again.
 */
export function createContentCache<Built>(
  most: number,
  build: (content: AgentContent) => Promise<Built>,
): (content: AgentContent) => Promise<Built> {
  const built = new LRUCache<string, Promise<Built>>({ max: most })
  return content => {
    const kept = built.get(content.key)
    if (kept !== undefined) return kept
    const making = build(content)
    built.set(content.key, making)
    making.catch(() => {
      if (built.peek(content.key) === making) built.delete(content.key)
    })
    return making
  }
}
