import type { RuntimePart } from '../domain/conversation/runtime-part.ts'
import type { RuntimeTurn } from '../ports/agent-runtime.ts'
import { expandAttributes } from './expansions.ts'

const ENGLISH = { greeting: 'Hello! How can I help you?' }

/**
 * Yields the agent's greeting with its attributes put in. If nothing is left of it, yields the greeting of the phrases,
 * English unless given (RT1).
 */
export function* greet(
  turn: Pick<RuntimeTurn, 'content' | 'variant'>,
  phrases: { readonly greeting: string } = ENGLISH,
): Generator<RuntimePart> {
  yield { type: 'node', name: 'greeting' }
  const expanded = expandAttributes(turn.content.responseSettings.greeting, turn.variant?.attributes ?? {})
  for (const name of expanded.unknown) yield { type: 'node', name: `unknown_attribute:${name}` }
  yield { type: 'text', text: expanded.text.trim() === '' ? phrases.greeting : expanded.text }
}
