import { LRUCache } from 'lru-cache'
import type { AgentContent } from '../ports/agent-runtime.ts'

/** Gives what `build` makes of a revision's content, made once. That of the `most` revisions that were asked for last is kept. */
export function createContentCache<Built extends object>(
  most: number,
  build: (content: AgentContent) => Built,
): (content: AgentContent) => Built {
  const built = new LRUCache<string, Built>({ max: most })
  return content => {
    const kept = built.get(content.key)
    if (kept !== undefined) return kept
    const made = build(content)
    built.set(content.key, made)
    return made
  }
}
