import { beforeEach, inject } from 'vitest'

/** Tests that a mount cannot pass, by the beginning of their titles, with the reason. */
const EXCEPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {}

/** Those that look into the dispatcher, so that no mount can stand before it. */
const INSIDE: Readonly<Record<string, string>> = {
  'MS13 where the token': 'asks whether the body of the dispatcher is read',
  'RC61 hold one slice': 'takes the chunks from the dispatcher one by one',
}

beforeEach(context => {
  const { name } = context.task
  const reason = Object.entries({ ...INSIDE, ...EXCEPTIONS[inject('mount')] }).find(([title]) =>
    name.startsWith(title),
  )
  if (reason !== undefined) context.skip(reason[1])
})
