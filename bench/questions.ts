import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { buildTopicIndex } from '@colloquy/runtime-retrieval'

/** The languages with questions of their own. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja', 'zh', 'ko', 'th', 'ar', 'hi'] as const

/** Questions to choose by, and those to report. */
export type Half = 'tune' | 'held'

interface Subject {
  readonly name: string
  readonly alias: string
  content: string
  readonly examples: string[]
  readonly tune: string[]
  readonly held: string[]
}

/** A language's topics with their questions, questions that none answers, and words to make further topics of. */
export interface Questions {
  readonly language: string
  readonly subjects: readonly Subject[]
  readonly outside: Readonly<Record<Half, readonly string[]>>
  readonly lists: ReadonlyMap<string, readonly string[]>
}

type Topic = Parameters<typeof buildTopicIndex>[0][number]

/** Reads `questions/<language>.txt`; `questions/README.md` says what its lines mean. */
export function readQuestions(language: string): Questions {
  const subjects: Subject[] = []
  const outside: Record<Half, string[]> = { tune: [], held: [] }
  const lists = new Map<string, readonly string[]>()
  for (const line of readFileSync(join(import.meta.dirname, `questions/${language}.txt`), 'utf8').split(
    '\n',
  )) {
    const text = line.slice(2)
    const last = subjects.at(-1)
    if (line.startsWith('- ')) outside.tune.push(text)
    else if (line.startsWith('~ ')) outside.held.push(text)
    else if (line.startsWith('= ')) {
      const [name = '', alias = ''] = text.split(' | ')
      subjects.push({ name, alias, content: '', examples: [], tune: [], held: [] })
    } else if (last === undefined) {
      const [key = '', list = ''] = line.split(/: (.*)/)
      if (key !== '') lists.set(key, list.split(' | '))
    } else if (line.startsWith(': ')) last.content = text
    else if (line.startsWith('+ ')) last.examples.push(text)
    else if (line.startsWith('? ')) last.tune.push(text)
    else if (line.startsWith('! ')) last.held.push(text)
  }
  return { language, subjects, outside, lists }
}

const topicOf = (
  name: string,
  content: string,
  exampleQueries: string[],
): Topic & { readonly id: string } => ({
  id: `TOPIC-${name}`,
  name,
  content,
  actions: '',
  exampleQueries,
  isActive: true,
})

/** An agent of so many topics with so many examples each, and the questions that its first, written ones answer. */
export function agentOf({ language, subjects, lists }: Questions, topics: number, examples: number) {
  const list = (key: string) => lists.get(key) ?? []
  const frames = list('frames')
  const framed = (at: number, text: string) => (frames[at % frames.length] ?? '{x}').replace('{x}', text)
  const asked = topics < subjects.length ? subjects.filter((_, at) => at % 2 === 0) : subjects
  const written = asked.map(({ name, alias, content, examples: own }) => {
    const made = frames.flatMap((_, at) => [framed(at, name), framed(at, alias)])
    return topicOf(name, content, [...own, ...made].slice(0, examples))
  })
  const space = ['ja', 'zh', 'th'].includes(language) ? '' : ' '
  const made = list('places').flatMap(place =>
    list('things').flatMap(thing => list('aspects').map(aspect => [place, thing, aspect])),
  )
  // A prime step goes through all of them, mixed.
  const others = Array.from({ length: Math.max(0, topics - written.length) }, (_, at) => {
    const name = (made[(at * 7_919) % made.length] ?? []).join(space)
    const queries = Array.from({ length: examples }, (_, other) => framed(at + other, name))
    return topicOf(name, `${framed(at + 3, name)}. ${framed(at + 5, name)}.`, queries.slice(0, examples))
  })
  return { topics: [...written, ...others], asked }
}
