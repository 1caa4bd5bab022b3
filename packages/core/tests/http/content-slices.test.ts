import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { describe, expect, test } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { createPlatform } from '../../src/platform.ts'
import { contextOf } from '../../src/platform-context.ts'
import { createScriptedRuntime } from '../../src/testing/index.ts'
import { request } from '../support/request.ts'

const AGENT = 'PROJECT-A'
const COUNT = 30

/** A branch with content of each kind, whose lists are read in slices of any size. */
async function setUp() {
  const { platform, keys } = await createPopulatedPlatform()
  const { agents } = platform
  const context = contextOf(platform)
  const branch = await agents.createBranch(AGENT, { branchName: 'work' })
  for (let index = 0; index < COUNT; index++) {
    const name = `é ${index}`
    await agents.createTopic(AGENT, branch.id, { name, content: 'é"\n'.repeat(200) })
    const { id } = await agents.createAttribute(AGENT, branch.id, { name: `${name} ${'é'.repeat(80)}` })
    await agents.createVariant(AGENT, branch.id, { name, attributeValues: { [id]: 'é'.repeat(400) } })
    const turns = [{ text: 'é'.repeat(400), expectations: {} }]
    await agents.testCases.create(AGENT, branch.id, { name, turns })
  }
  const read = async (path: string, sliceBytes: number) => {
    const { store, clock } = context
    const runtime = createScriptedRuntime({}, clock)
    const sliced = createPlatform({ store, clock, runtime, rateLimits: null, limits: { sliceBytes } })
    const headers = { 'x-api-key': keys.workspace }
    const line = `GET /v1/agents/${AGENT}/branches/${branch.id}${path}`
    const answer = await createDispatcher(sliced, routes).handle(request(line, { headers }))
    expect(answer.status).toBe(200)
    expect(answer.headers['Content-Type']).toBe('application/json; charset=utf-8')
    const chunks: string[] = []
    for await (const chunk of answer.chunks ?? []) chunks.push(String(chunk))
    return { body: answer.body, chunks }
  }
  return { read }
}

describe('lists of content that are longer than a slice', () => {
  test('RC44 go out in chunks of at most a slice, the same text in slices of any size', async () => {
    const { read } = await setUp()
    for (const path of ['/knowledge-base/topics', '/attributes', '/variants', '/test-cases', '/diff', '']) {
      const whole = await read(path, 100_000_000)
      expect(whole.chunks, path).toEqual([])
      expect(JSON.stringify(JSON.parse(whole.body ?? '')), path).toBe(whole.body)
      expect(Buffer.byteLength(whole.body ?? ''), path).toBeGreaterThan(3_000)
      for (const sliceBytes of [1, 2_500]) {
        const { body, chunks } = await read(path, sliceBytes)
        expect(body, path).toBeNull()
        expect(chunks.join(''), path).toBe(whole.body)
        if (sliceBytes === 1) expect(chunks.length, path).toBeGreaterThan(COUNT)
        else for (const chunk of chunks) expect(Buffer.byteLength(chunk), path).toBeLessThanOrEqual(2_500)
      }
    }
  })
})
