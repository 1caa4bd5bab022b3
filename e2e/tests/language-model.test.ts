import { greetedVisitor } from '@colloquy/test-support/demo'
import { type Answer, startFakeOpenAi } from '@colloquy/test-support/fake-openai'
import { linesOf, run } from '@colloquy/test-support/program'
import { CREDENTIALS, startStandalone } from '@colloquy/test-support/standalone'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { programAt } from '../../scripts/programs/program.ts'

// Slow: each test starts a host as a program.

const runHost = (baseURL: string) =>
  run(process.execPath, programAt('e2e/src/language-model.ts'), {
    LLM_BASE_URL: baseURL,
    LLM_MODEL: 'fake-model',
    LLM_API_KEY: 'key-of-the-test',
  })

test('DO8 its agent calls the function that the model asks for, and answers with what the model says', async () => {
  const server = await startFakeOpenAi([
    { type: 'reply', calls: [{ name: 'room_price', arguments: '{"nights":2}' }] },
    { type: 'reply', chunks: ['Two nights are ', '180 pounds.'] },
  ])
  const program = runHost(server.baseURL)
  expect(await program.exit).toBe(0)
  const [said, requests = ''] = linesOf(program.output.stdout)
  expect(said).toBe('Two nights are 180 pounds.')
  expect(JSON.parse(requests)).toMatchObject([
    { step: 1, output_tokens: 7 },
    { step: 2, output_tokens: 7 },
  ])
  expect(server.requests[1]?.body.messages.at(-1)).toMatchObject({ role: 'tool', content: '{"pounds":180}' })
  expect(server.requests[0]?.authorization).toBe('Bearer key-of-the-test')
})

test('SY1 it waits for a provider that answers 503 once, and then answers', async () => {
  const server = await startFakeOpenAi([
    { type: 'status', status: 503 },
    { type: 'reply', chunks: ['The desk is ', 'always open.'] },
  ])
  const program = runHost(server.baseURL)
  expect(await program.exit).toBe(0)
  const [said, requests = ''] = linesOf(program.output.stdout)
  expect(said).toBe('The desk is always open.')
  expect(JSON.parse(requests)).toMatchObject([{ attempt: 1 }, { attempt: 2, finish_reason: 'stop' }])
})

const turnSchema = z.looseObject({
  conversationId: z.string(),
  response: z.string(),
  metadata: z.looseObject({ llmRequests: z.array(z.looseObject({ model: z.string() })) }),
})

const KEY = 'sk-key-that-nobody-should-read'

test('SS2 the demo agent answers through the language model, and the key is in no line of the output', async () => {
  const echo: Answer = {
    type: 'status',
    status: 401,
    body: JSON.stringify({ error: { message: `Incorrect API key provided: ${KEY}` } }),
  }
  const server = await startFakeOpenAi([{ type: 'reply', chunks: ['From seven to ten.'] }, echo])
  const standalone = await startStandalone({
    ...CREDENTIALS,
    COLLOQUY_DATABASE: ':memory:',
    COLLOQUY_LLM_BASE_URL: server.baseURL,
    COLLOQUY_LLM_MODEL: 'fake-model',
    COLLOQUY_LLM_API_KEY: KEY,
  })
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${standalone.url}/v1/agents/PROJECT-DEMO/debug-chat${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': CREDENTIALS.COLLOQUY_WORKSPACE_KEY },
      body: JSON.stringify({ clientEnv: 'live', ...body }),
    })
  const { conversationId } = turnSchema.parse(await (await post('', {})).json())
  const turn = turnSchema.parse(
    await (await post(`/${conversationId}`, { message: 'When is breakfast?' })).json(),
  )
  expect(turn.response).toBe('From seven to ten.')
  expect(turn.metadata.llmRequests).toMatchObject([
    { model: 'fake-model', input_tokens: 120, output_tokens: 7, finish_reason: 'stop' },
  ])
  const failed = await post(`/${conversationId}`, { message: 'And lunch?' })
  expect(failed.status).toBe(500)
  const body = await failed.text()
  expect(body).not.toContain(KEY)
  expect(body).toContain('401 The provider refused the credentials')
  await standalone.line(/Incorrect API key provided: \[Redacted\]/)
  standalone.kill('SIGTERM')
  expect(await standalone.exit).toBe(0)
  expect(standalone.output.stdout + standalone.output.stderr).not.toContain(KEY)
  expect(linesOf(standalone.output.stdout)).toHaveLength(1)
})

const deskSchema = z.looseObject({
  handoffs: z
    .array(z.looseObject({ handoff_id: z.string(), last_line: z.looseObject({ text: z.string() }) }))
    .default([]),
  summary: z.looseObject({ status: z.string(), text: z.string() }).optional(),
  suggestions: z.array(z.string()).default([]),
})

test('SS2 the same model summarizes a conversation for the live agents of the standalone server', async () => {
  const summary = 'Wants a person. Nothing was tried.'
  const model = await startFakeOpenAi([
    {
      type: 'reply',
      calls: [
        {
          name: 'hand_off',
          arguments: '{"destination":"reception","reason":"Asked for a person.","message":"One moment."}',
        },
      ],
    },
    { type: 'reply', chunks: [summary] },
    { type: 'reply', chunks: ['["Good day!"]'] },
  ])
  const server = await startStandalone({
    ...CREDENTIALS,
    COLLOQUY_DATABASE: ':memory:',
    COLLOQUY_LLM_BASE_URL: model.baseURL,
    COLLOQUY_LLM_MODEL: 'fake-model',
    COLLOQUY_LLM_API_KEY: KEY,
  })
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': CREDENTIALS.COLLOQUY_DESK_KEY }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    return deskSchema.parse(await (await fetch(`${server.url}/desk/v1/handoffs${path}`, init)).json())
  }
  const { visitor } = await greetedVisitor(server)
  visitor.say('I want to speak to a person')
  await visitor.next('HANDOFF_ACCEPTED')
  const [waiting] = (await ask('GET', '')).handoffs
  expect(waiting?.last_line.text).toBe('I want to speak to a person')
  const id = waiting?.handoff_id
  await expect
    .poll(async () => (await ask('GET', `/${id}`)).summary)
    .toMatchObject({ status: 'done', text: summary })
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('I want to speak to a person')
  await ask('POST', `/${id}/accept`, { agent: { id: 'ada', name: 'Ada' } })
  expect((await ask('POST', `/${id}/suggestions`)).suggestions).toEqual(['Good day!'])
})
