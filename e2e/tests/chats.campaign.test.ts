import { setTimeout as pause } from 'node:timers/promises'
import { CREDENTIALS, freshDatabase, startStandalone } from '@colloquy/test-support/standalone'
import { expect, test } from 'vitest'

interface Answer {
  readonly status: number
  readonly json: {
    readonly conversation_id: string
    readonly response: string
    readonly replies: readonly { readonly index: number; readonly response: string }[]
    readonly conversations: readonly {
      readonly num_turns: number
      readonly turns: readonly { readonly user_input: string }[]
    }[]
  }
}

const QUESTIONS = [
  'What time is breakfast?',
  'May I bring my dog?',
  'When do you open?',
  'Is there parking?',
  '',
]

/** Asks until there is an answer: servers come and go. */
async function asked(url: string, init: RequestInit): Promise<Answer> {
  for (;;) {
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(20_000) })
      if (response.status !== 503) return { status: response.status, json: JSON.parse(await response.text()) }
    } catch {
      // Nobody listens, or the connection broke before the answer was there.
    }
    await pause(50)
  }
}

test('TC30 100 chats over a server that is killed again and again lose nothing, and repeats are answered alike', async () => {
  const CHATS = 100
  const settings = {
    ...CREDENTIALS,
    ...{ COLLOQUY_DATABASE: await freshDatabase(), COLLOQUY_RATE_LIMITS: 'off' },
  }
  let server = await startStandalone(settings)
  const { url, port } = server
  const path = `${url}/v1/ws-demo/PROJECT-DEMO/chat`
  const headers = {
    ...{ 'x-api-key': CREDENTIALS.COLLOQUY_PROJECT_KEY, 'x-token': CREDENTIALS.COLLOQUY_CONNECTOR_TOKEN },
    'content-type': 'application/json',
  }
  let answered = 0
  const post = async (call: string, key: string, body: object): Promise<Answer> => {
    const init = {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': key },
      body: JSON.stringify(body),
    }
    const answer = await asked(`${path}/${call}`, init)
    answered++
    return answer
  }

  async function chat(index: number) {
    const requests: {
      readonly call: string
      readonly key: string
      readonly body: object
      readonly answer: Answer
    }[] = []
    const ask = async (call: string, key: string, body: object): Promise<Answer> => {
      const answer = await post(call, key, body)
      expect(answer).toMatchObject({ status: 200 })
      requests.push({ call, key, body, answer })
      return answer
    }
    const begun = await ask('create', `chat-${index}`, { channel: 'whatsapp' })
    const { conversation_id } = begun.json
    for (const [at, message] of QUESTIONS.entries()) {
      await ask('respond', `chat-${index}-message-${at}`, { conversation_id, message })
      // A caller that has forgotten whether it asked: another server may answer by now.
      const earlier = requests[(index + at) % requests.length]
      if (earlier === undefined) continue
      const again = await post(earlier.call, earlier.key, earlier.body)
      expect(again.json).toEqual(earlier.answer.json)
    }
    return { conversation_id, requests }
  }

  const chats = Promise.all(Array.from({ length: CHATS }, (_, index) => chat(index)))
  let over = false
  const ended = chats.finally(() => {
    over = true
  })
  ended.catch(() => undefined)
  const all = CHATS * (1 + 2 * QUESTIONS.length)
  for (const share of [0.1, 0.3, 0.5, 0.7]) {
    while (!over && answered < all * share) await pause(5)
    server.kill('SIGKILL')
    await server.exit
    server = await startStandalone({ ...settings, PORT: port })
  }
  const talked = await ended
  for (const { conversation_id, requests } of talked) {
    for (const { call, key, body, answer } of requests)
      expect((await post(call, key, body)).json).toEqual(answer.json)
    const { json } = await asked(`${path}/${conversation_id}/replies?after=0`, { headers })
    // The demo's replies wait for nothing: each request was told its own.
    expect(json.replies.map(({ index }) => index)).toEqual(requests.map((_, at) => at + 1))
    expect(json.replies.map(({ response }) => response)).toEqual(
      requests.map(({ answer }) => answer.json.response),
    )
  }
  const list = await asked(`${url}/v3/ws-demo/PROJECT-DEMO/conversations?limit=1000&channel=WHATSAPP`, {
    headers,
  })
  expect(list.json.conversations).toHaveLength(CHATS)
  for (const { num_turns, turns } of list.json.conversations) {
    expect(turns.map(({ user_input }) => user_input)).toEqual(['', ...QUESTIONS])
    expect(num_turns).toBe(1 + QUESTIONS.length)
  }
})
