import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from './workspace-packages.ts'

/** A list of rules that say what the titles of a file say, with the source of those that have no other. */
const LISTS = /(<!-- titles: (\S+) \(([^()]+)\) -->\n)(.*?)(<!-- end of titles -->)/gs

const numberOf = (id: string): number => Number(id.slice(2))

/** The titles of a file that name one rule, say it without placeholders, and are the only one there for it. */
function titlesIn(text: string): ReadonlyMap<string, string> {
  const all = [...text.matchAll(/(['"`])((?:[A-Z]{2}\d+(?:, | and | ))+)((?:\\.|(?!\1).)+)\1/g)].map(
    ([, , named = '', title = '']) => ({ ids: named.split(/, | and | /).filter(id => id !== ''), title }),
  )
  const count = (id: string): number => all.filter(({ ids }) => ids.includes(id)).length
  return new Map(
    all.flatMap(({ ids: [id = '', ...others], title }) =>
      others.length === 0 && count(id) === 1 && !/[$%][{a-z]/.test(title) ? [[id, title] as const] : [],
    ),
  )
}

/** A title as the sentence of a rule. */
const sentence = (title: string): string =>
  title
    .replace(/\\(.)/g, '$1')
    .replaceAll('’', "'")
    .replace(/^\p{Ll}/u, first => first.toUpperCase())

const idsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^- \*\*([A-Z]{2}\d+)\*\*/gm)].map(([, id = '']) => id)

/**
 * Returns a page of rules with its marked lists written again: each rule whose title is in the list's file, in the
 * order of ids. A rule keeps its source and its list. A new rule goes to the last list of its file. A rule outside of
 * the lists stays there, because it says more than a title.
 */
export function rulesFromTitles(
  page: string,
  read = (file: string) => readFileSync(join(REPOSITORY, file), 'utf8'),
): string {
  const lists = [...page.matchAll(LISTS)].map(([all, , file]) => ({ all, file }))
  const known = new Set(idsIn(page))
  const letters = new Set([...known].map(id => id.slice(0, 2)))
  return page.replaceAll(
    LISTS,
    (all, begin: string, file: string, source: string, list: string, end: string) => {
      const isLast = lists.findLast(other => other.file === file)?.all === all
      const here = new Set(idsIn(list))
      const sources = new Map(
        [...list.matchAll(/^- \*\*([A-Z]{2}\d+)\*\* .*(\([^()]+\))\.?$/gm)].map(([, id = '', kept = '']) => [
          id,
          kept,
        ]),
      )
      const rules = [...titlesIn(read(file))]
        .filter(([id]) => here.has(id) || (isLast && !known.has(id) && letters.has(id.slice(0, 2))))
        .sort(([one], [other]) => numberOf(one) - numberOf(other))
        .map(([id, title]) => `- **${id}** ${sentence(title)} ${sources.get(id) ?? `(${source})`}.\n`)
      return `${begin}\n${rules.join('')}\n${end}`
    },
  )
}
