import type { TestLine, TestTalkSoFar, VisitorWords } from './talk.ts'

/** The number of times that the plain visitor states its goal before it gives up. */
const MOST_ASKED = 3

const folded = (text: string): string => text.toLowerCase()
const holds = (text: string, part: string): boolean => folded(text).includes(folded(part))

/** Returns those of the texts that no line of the agent holds, in any case. */
export const lacking = (texts: readonly string[], lines: readonly TestLine[]): readonly string[] =>
  texts.filter(text => !lines.some(line => line.from === 'ai_agent' && holds(line.text, text)))

/**
 * Returns what a visitor without a language model says (TE86). It states its goal, tells a fact if the agent's last
 * words name the fact's topic, states its goal again while the replies lack what it wants, and gives up after the third
 * time. Without `wants` it is content with the first reply that asks for nothing.
 */
export function plainVisitorSays({ ended, lines, visitor }: TestTalkSoFar): VisitorWords {
  const { facts, goal, wants = [] } = visitor
  const own = lines.filter(({ from }) => from === 'visitor').map(({ text }) => text)
  if (own.length === 0) return { type: 'text', text: goal }
  const missing = lacking(wants, lines)
  if (wants.length > 0 && missing.length === 0) return { type: 'done' }
  const last = lines.slice(lines.findLastIndex(({ from }) => from === 'visitor') + 1)
  const asked = Object.entries(facts)
    .filter(([topic]) => last.some(({ text }) => holds(text, topic)))
    .map(([, answer]) => answer)
    .filter(answer => !own.some(text => holds(text, answer)))
  if (asked.length > 0 && !ended) return { type: 'text', text: asked.join(' ') }
  if (wants.length === 0) return { type: 'done' }
  const times = own.filter(text => text === goal).length
  if (ended || times >= MOST_ASKED)
    return { type: 'gives_up', reason: `No reply contains ${missing.join(', ')}.` }
  return { type: 'text', text: goal }
}
