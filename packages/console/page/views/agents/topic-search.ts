interface Searched {
  readonly name: string
  readonly content: string
  readonly exampleQueries: { readonly queries: readonly string[] }
}

/** Text as it is compared: without case and accents. */
export const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const plainTexts = new WeakMap<Searched, readonly [name: string, rest: string]>()

/** Made once for each topic, so that a list of 10,000 is searched while somebody types. */
function textsOf(topic: Searched): readonly [name: string, rest: string] {
  const known = plainTexts.get(topic)
  if (known !== undefined) return known
  const made = [
    plain(topic.name),
    plain([topic.content, ...topic.exampleQueries.queries].join('\n')),
  ] as const
  plainTexts.set(topic, made)
  return made
}

/**
 * Returns the topics that have every word of a text somewhere, in their order; those that have all in their name first.
 */
export function findTopics<Topic extends Searched>(topics: readonly Topic[], text: string): readonly Topic[] {
  const words = plain(text)
    .split(/\s+/)
    .filter(word => word !== '')
  if (words.length === 0) return topics
  const [named, others]: [Topic[], Topic[]] = [[], []]
  for (const topic of topics) {
    const [name, rest] = textsOf(topic)
    if (words.every(word => name.includes(word))) named.push(topic)
    else if (words.every(word => name.includes(word) || rest.includes(word))) others.push(topic)
  }
  return [...named, ...others]
}

const ORDER = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** In the order in which people look for them: 2 before 10, and no capitals first. */
export const inNaturalOrder = <One extends { readonly name: string }>(all: readonly One[]): readonly One[] =>
  all.toSorted((one, other) => ORDER.compare(one.name, other.name))
