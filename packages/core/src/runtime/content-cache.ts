import { LRUCache } from 'lru-cache'
import type { AgentContent } from '../ports/agent-runtime.ts'

/**
 * Gives what `build` makes of a revision's content, made once: callers that ask while it is being made wait for the
 * same (IX3). It is kept for the `most` revisions that were asked for last. A failure is not kept: the next call builds
 * it again.
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
