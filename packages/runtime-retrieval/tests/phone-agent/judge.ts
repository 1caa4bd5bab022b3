import { createRetrievalRuntime } from '../../src/retrieval-runtime.ts'
import { type Answer, converse } from '../support.ts'
import type { Expected, Message } from './messages.ts'
import { PHONE_TOPICS } from './topics.ts'

/** `acceptable`: a question about what was meant, or an answer where a question would have been better. */
export type Verdict = 'right' | 'acceptable' | 'wrong'

/** What became of a message, and in words what the agent did. */
export interface Judged {
  readonly verdict: Verdict
  readonly did: string
}

/** Asks the agent a customer's message and judges what it does. */
export async function ask({ says, after, expected }: Message): Promise<Judged> {
  const chat = converse(createRetrievalRuntime(), { topics: PHONE_TOPICS })
  if (after !== undefined) await chat.say(after)
  const answer = await chat.say(says)
  return { verdict: judge(answer, expected), did: didOf(answer) }
}

const didOf = ({ nodes, cited, suggestions }: Answer): string =>
  [nodes[0], ...(cited.length > 0 ? cited : suggestions)].join(' / ')

function judge(answer: Answer, expected: Expected): Verdict {
  const [node] = answer.nodes
  const asksAbout = (topics: readonly string[]): boolean =>
    node === 'clarify' && answer.suggestions.some(name => topics.includes(name))
  switch (expected.is) {
    case 'answer':
      if (asksAbout(expected.topics)) return 'acceptable'
      return answersFrom(answer, expected.topics) && (expected.holds ?? /./).test(answer.text)
        ? 'right'
        : 'wrong'
    case 'asks':
      if (asksAbout(expected.topics)) return 'right'
      return answersFrom(answer, expected.topics) ? 'acceptable' : 'wrong'
    case 'handoff':
      if (answer.handoff === 'advisers') return 'right'
      return asksAbout(['Speak to an adviser']) ? 'acceptable' : 'wrong'
    case 'small_talk':
      if (node === 'small_talk') return 'right'
      return node === 'unknown' ? 'acceptable' : 'wrong'
    case 'unknown':
      if (answer.outOfDomain) return 'right'
      return node === 'clarify' ? 'acceptable' : 'wrong'
  }
}

const answersFrom = ({ cited }: Answer, topics: readonly string[]): boolean =>
  cited.length > 0 && cited.every(name => topics.includes(name))
