import { expect } from 'vitest'
import type { MountName } from './mounts.ts'

const DOTS = { 'DK19 there is no handoff .': '`new Request` resolves dot segments' }

const MALFORMED = 'Fastify itself refuses a path with a malformed percent-encoding'

/** Tests that a mount cannot pass, by the beginning of their titles, with the reason. */
const EXCEPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Fastify: {
    'HT10 no good key is 401': MALFORMED,
    'HT1 path parameters': MALFORMED,
    'HT14 parameters of the path': MALFORMED,
  },
  ...{ Hono: DOTS, 'Next.js': DOTS, SvelteKit: DOTS, fetch: DOTS },
}

/** Those that look into the dispatcher, so that no mount can stand before it. */
const INSIDE: Readonly<Record<string, string>> = {
  'where the token': 'asks whether the body of the dispatcher is read',
  'TE20 the run of a merge': 'reads a run while it goes on, and a mount takes longer than the run',
  'RC44 hold one slice': 'takes the chunks from the dispatcher one by one',
}

/**
 * Why the requests of the running test go to the dispatcher itself, and not through the mount; null where they go through it.
 */
export function exceptionOf(mount: MountName): string | null {
  const title = expect.getState().currentTestName?.split(' > ').at(-1) ?? ''
  const found = Object.entries({ ...INSIDE, ...EXCEPTIONS[mount] }).find(([start]) => title.startsWith(start))
  return found?.[1] ?? null
}
