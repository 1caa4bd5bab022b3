/** Something that may happen next. */
export interface Step {
  readonly name: string
  act(): Promise<void> | void
}

/** One course of events: what may happen next (nothing: it is over), and what must hold then. */
export interface Course {
  next(): readonly Step[]
  /** Lets everything go on that waits for no step. */
  settle(): Promise<void>
  finish(): Promise<void>
}

interface Choice {
  taken: number
  readonly of: number
}

/**
 * Takes every course that events can take: each run begins anew and, wherever several steps are possible, another one is
 * taken. Depth first, until no choice is left. A failure names the steps that led to it.
 *
 * @returns how many courses there were
 */
export async function everyWay(begin: () => Promise<Course>): Promise<number> {
  const path: Choice[] = []
  let courses = 0
  do {
    await runOne(await begin(), path)
    courses++
  } while (turnNext(path))
  return courses
}

async function runOne(course: Course, path: Choice[]): Promise<void> {
  const names: string[] = []
  try {
    for (let depth = 0, steps = course.next(); steps.length > 0; depth++, steps = course.next()) {
      const choice = path[depth] ?? { taken: 0, of: steps.length }
      if (choice.of !== steps.length) throw new Error('The course took another turn than the last time.')
      path[depth] = choice
      const step = steps[choice.taken]
      if (step === undefined) throw new Error('There is no such step.')
      names.push(step.name)
      await step.act()
      await course.settle()
    }
    await course.finish()
  } catch (error) {
    throw new Error(`After: ${names.join(', ')}\n${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

/** The next path in depth-first order; false when there is none. */
function turnNext(path: Choice[]): boolean {
  for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
    last.taken++
    if (last.taken < last.of) return true
    path.pop()
  }
  return false
}
