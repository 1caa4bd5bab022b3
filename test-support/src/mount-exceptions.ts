import { beforeEach, inject } from 'vitest'

/** Tests that a mount cannot pass, by the beginning of their titles, with the reason. */
const EXCEPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Fastify: {
    'HT10 no good key is 401': 'Fastify itself refuses a path with a malformed percent-encoding',
    'HT23 path parameters': 'Fastify itself refuses a path with a malformed percent-encoding',
  },
  fetch: { 'DK19 there is no handoff .': '`new Request` resolves dot segments (FE7)' },
}

/** Those that look into the dispatcher, so that no mount can stand before it. */
const INSIDE: Readonly<Record<string, string>> = {
  'MS13 where the token': 'asks whether the body of the dispatcher is read',
  'TE25, TE20 the run of a merge': 'reads a run while it goes on, and a mount takes longer than the run',
  'RC61 hold one slice': 'takes the chunks from the dispatcher one by one',
}

beforeEach(context => {
  const { name } = context.task
  const reason = Object.entries({ ...INSIDE, ...EXCEPTIONS[inject('mount')] }).find(([title]) =>
    name.startsWith(title),
  )
  if (reason !== undefined) context.skip(reason[1])
})
