import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CREDENTIALS, startedBefore, startStandalone } from '@colloquy/test-support/standalone'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { listAt } from '../../examples/quickstart/src/json.ts'

const PAGE = join(fileURLToPath(new URL('../..', import.meta.url)), 'docs/guides/debug-chat.md')

/** Everything that the calls of the page have got. */
const answersSchema = z.record(z.string(), z.looseObject({ metadata: z.record(z.string(), z.unknown()) }))

/** Runs the page's calls one after the other against a server, and returns what they got. */
async function runPage(page: string, url: string) {
  const blocks = Array.from(page.matchAll(/^```js\n(.*?)^```/gms), ([, block = '']) => block)
  const code = `${blocks.join('\n').replaceAll('http://127.0.0.1:8080', url)}
    return { greeting, answer, delayed, late, next }`
  const names = {
    KEY: CREDENTIALS.COLLOQUY_WORKSPACE_KEY,
    EVENTS_KEY: CREDENTIALS.COLLOQUY_EXTERNAL_EVENTS_KEY,
  }
  const answers: unknown = await Reflect.apply(
    Reflect.construct(Object.getPrototypeOf(async () => {}).constructor, [...Object.keys(names), code]),
    undefined,
    Object.values(names),
  )
  return answersSchema.parse(answers)
}

test('the calls on the page about debug chat get what it says, and it names every field of that', async () => {
  const server = await startStandalone(await startedBefore())
  const page = await readFile(PAGE, 'utf8')
  const { greeting, answer, delayed, late, next } = await runPage(page, server.url)
  expect(greeting).toMatchObject({ userInput: '', metadata: { currentNode: 'greeting' } })
  expect(answer).toMatchObject({ response: expect.stringContaining('6:30'), delayedResponse: false })
  expect(delayed).toMatchObject({ delayedResponse: true, metadata: { state: { deposit_status: 'pending' } } })
  expect(late).toMatchObject({
    userInput: '',
    response: expect.stringContaining('went through'),
    metadata: {
      state: { deposit_status: 'paid' },
      functionEvents: [{ name: 'take_deposit', result: { status: 'paid' } }],
    },
  })
  const { delayedResponses: _, ...reply } = Object(late)
  expect(next).toMatchObject({ delayedResponses: [reply] })

  const memory = z.looseObject({ retrieval: z.looseObject({ expected: z.array(z.looseObject({})) }) })
  const { retrieval } = memory.parse(delayed?.metadata.state)
  const [event] = listAt(delayed, 'metadata.functionEvents')
  const shown = [delayed, delayed?.metadata, retrieval, retrieval.expected[0], event].flatMap(part =>
    Object.keys(Object(part)),
  )
  expect(shown.length).toBeGreaterThan(30)
  expect(shown.filter(key => !page.includes(`\`${key}\``))).toEqual([])
  const nodes = [greeting, answer, delayed, late].flatMap(turn =>
    listAt(turn, 'metadata.nodeTrace').map(String),
  )
  expect(nodes.filter(node => !page.includes(`\`${node.replace(/:.*/, ':<name>')}\``))).toEqual([])
})
