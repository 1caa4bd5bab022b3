import type { RuntimePart, RuntimeTurn } from '@colloquy/core/runtime'
import { expandAttributes } from '@colloquy/core/runtime'
import type { Phrases } from './phrases.ts'

/** Says the agent's greeting with its attributes put in, or that of the phrases when nothing is left of it (RT1). */
export function* greet(
  turn: Pick<RuntimeTurn, 'content' | 'variant'>,
  phrases: Pick<Phrases, 'greeting'>,
): Generator<RuntimePart> {
  yield { type: 'node', name: 'greeting' }
  const expanded = expandAttributes(turn.content.responseSettings.greeting, turn.variant?.attributes ?? {})
  for (const name of expanded.unknown) yield { type: 'node', name: `unknown_attribute:${name}` }
  yield { type: 'text', text: expanded.text.trim() === '' ? phrases.greeting : expanded.text }
}
