import type { Conflict, Resolution } from './conflict-resolver.ts'
import type { Value } from './content.ts'
import type { Step } from './steps.ts'

const valueFor = (path: readonly string[], text: string): Value => {
  const field = path.at(-1)
  if (field === 'isActive' || field === 'isDefault') return text < 'n'
  return field === 'exampleQueries' ? [text] : text
}

/** The resolutions with which a step answers conflicts; `first` answers may be wrong. */
export function answer(
  conflicts: readonly Conflict[],
  given: readonly Resolution[],
  step: Pick<Step, 'answers' | 'mischief' | 'text'>,
  first: boolean,
): readonly Resolution[] {
  const resolutions = conflicts.map(({ path }, at): Resolution => {
    const { strategy, valued } = step.answers[at % step.answers.length] ?? { strategy: 'ours', valued: false }
    return strategy === 'theirs' && valued
      ? { path, strategy, value: valueFor(path, step.text) }
      : { path, strategy }
  })
  const all = [...given, ...resolutions]
  const [one] = resolutions
  if (!first || !one) return all
  switch (step.mischief) {
    case 'none':
      return all
    case 'leave one':
      return all.slice(0, -1)
    case 'stray':
      return [...all, { path: ['topics', 'nowhere', 'content'], strategy: 'ours' }]
    case 'twice':
      return [...all, { path: one.path, strategy: 'base' }]
    case 'misfit':
      return [...all.slice(1), { path: one.path, strategy: 'theirs', value: 7 }]
    case 'value for ours':
      return [...all.slice(1), { path: one.path, strategy: 'ours', value: valueFor(one.path, step.text) }]
    case 'short paths':
      return shortened(resolutions)
  }
}

/** One resolution for each resource; the first of its conflicts decides. */
function shortened(resolutions: readonly Resolution[]): readonly Resolution[] {
  const byResource = new Map<string, Resolution>()
  for (const { path, strategy } of resolutions) {
    const start = path.slice(0, 2)
    if (!byResource.has(JSON.stringify(start)))
      byResource.set(JSON.stringify(start), { path: start, strategy })
  }
  return [...byResource.values()]
}
