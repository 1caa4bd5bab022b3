import { readMemory } from '../packages/core/src/runtime/memory.ts'
import { decide } from '../packages/runtime-retrieval/src/decide.ts'
import { buildKnowledge } from '../packages/runtime-retrieval/src/knowledge.ts'
import { lookUp } from '../packages/runtime-retrieval/src/look-up.ts'
import { RETRIEVAL_DEFAULTS } from '../packages/runtime-retrieval/src/turn-context.ts'
import { createWordings } from '../packages/runtime-retrieval/src/wording.ts'
import { agentOf, type Half, LANGUAGES, readQuestions } from './questions.ts'

/** Sizes to judge: every number of topics with every number of examples. */
export interface Sizes {
  readonly topics: readonly number[]
  readonly examples: readonly number[]
}

const percentile = (times: readonly number[], share: number): string =>
  (times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0).toFixed(2)

const shareOf = (part: number, all: number): string => (part / all).toFixed(2)

/** Asks an agent of a language all questions of a half, each in a conversation of its own. */
async function judgeLanguage(
  language: string,
  half: Half,
  { topics: size, examples }: { readonly topics: number; readonly examples: number },
  log?: (line: string) => void,
) {
  const questions = readQuestions(language)
  const { topics, asked } = agentOf(questions, size, examples)
  const began = performance.now()
  const knowledge = await buildKnowledge({ topics })
  const built = performance.now() - began
  const rules = { ...RETRIEVAL_DEFAULTS, wording: createWordings({}).for([language]) }
  const times: number[] = []
  const ask = (text: string) => {
    const before = performance.now()
    const decision = decide(knowledge, readMemory({}), text, rules)
    times.push(performance.now() - before)
    return decision
  }
  const count = { right: 0, wrong: 0, back: 0, first: 0, four: 0, refused: 0, asked: 0 }
  for (const { name, [half]: list } of asked) {
    for (const question of list) {
      const decision = ask(question)
      const found = lookUp(knowledge.index, question, 4, rules.wording.phrases)
      count.asked += 1
      if (found[0]?.topic.name === name) count.first += 1
      if (found.some(({ topic }) => topic.name === name)) count.four += 1
      const said = decision.type === 'answer' ? decision.answers.map(({ topic }) => topic.name) : []
      if (said.length > 0 && said.every(one => one === name)) count.right += 1
      else {
        if (said.length > 0) count.wrong += 1
        if (decision.type === 'clarify') count.back += 1
        const near = found.map(({ topic, confidence }) => `${topic.name} ${confidence.toFixed(2)}`)
        log?.(`${language} ${question} (${name}): ${decision.type} ${said} [${near.join(', ')}]`)
      }
    }
  }
  for (const question of questions.outside[half]) {
    const decision = ask(question)
    if (decision.type !== 'answer') count.refused += 1
    else log?.(`${language} ${question} (none): ${decision.answers.map(({ topic }) => topic.name)}`)
  }
  return {
    language,
    topics: size,
    examples,
    right: shareOf(count.right, count.asked),
    wrong: shareOf(count.wrong, count.asked),
    'asked back': shareOf(count.back, count.asked),
    first: shareOf(count.first, count.asked),
    'among four': shareOf(count.four, count.asked),
    refused: shareOf(count.refused, questions.outside[half].length),
    'build ms': Math.round(built),
    'p50 ms': percentile(times, 0.5),
    'p99 ms': percentile(times, 0.99),
  }
}

/** The table by language, topics and examples. */
export async function judgeLanguages(half: Half, { topics, examples }: Sizes, log?: (line: string) => void) {
  const rows: object[] = []
  for (const language of LANGUAGES)
    for (const size of topics)
      for (const count of examples)
        rows.push(await judgeLanguage(language, half, { topics: size, examples: count }, log))
  return rows
}
