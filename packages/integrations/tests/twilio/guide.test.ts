import { readFileSync } from 'node:fs'
import { silentLog } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { commandsOf, requestOf } from '@colloquy/test-support/guide-commands'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { signatureOf } from '../../src/twilio/index.ts'
import { createHost } from './guide-host.ts'
import { ACCOUNT_SID, AUTH_TOKEN, startTwilio } from './local-twilio.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const PAGE = read('../../../../docs/guides/texts.md')
const URL_OF_TWILIO = 'https://agents.example.com/twilio'
const OURS = '+442079460018'
const THEIRS = '+442079460030'

test('DO8 the host of the guide is the one that is run, letter by letter', () => {
  expect(PAGE).toContain(`\`\`\`ts\n${read('guide-host.ts')}\`\`\`\n`)
})

test('DO8 the commands of the guide lead from an agent to texts in both directions', async () => {
  const local = await startTwilio()
  const host = createHost(
    {
      ...{ store: createMemoryStore(), log: silentLog },
      runtime: {
        async *respond({ input }) {
          if (input.type === 'message') yield { type: 'text', text: `You said ${input.text}.` }
        },
      },
    },
    { accountSid: ACCOUNT_SID, authToken: AUTH_TOKEN, url: URL_OF_TWILIO, baseUrl: local.baseUrl },
  )
  onTestFinished(async () => {
    await host.platform.close()
    await local.close()
  })
  const { access, agents } = host.platform
  const { id: accountId } = await access.createAccount({
    ...{ accountId: 'ws-harbour', slug: 'harbour', name: 'Harbour' },
  })
  const made = { accountId, agentId: 'PROJECT-harbour', name: 'Front desk', greeting: 'Welcome.' }
  await agents.create(made)
  await agents.publish('PROJECT-harbour', { environment: 'live' })
  const variables: Record<string, string> = {
    OPERATOR_KEY: (await access.createApiKey({ kind: 'operator' })).secret,
    PROJECT_KEY: (await access.createApiKey({ kind: 'project', accountId })).secret,
  }
  const statuses: number[] = []
  for (const command of commandsOf(PAGE)) {
    const answer = await host.fetch(requestOf(command, { variables }))
    statuses.push(answer.status)
    const text = await answer.text()
    const told = z.object({ connectorId: z.string() }).safeParse(text === '' ? null : JSON.parse(text))
    if (told.success) variables.CONNECTOR_ID = told.data.connectorId
  }
  expect(statuses).toEqual([201, 201, 202])
  await vi.waitFor(() => {
    expect(local.messages).toMatchObject([
      { from: OURS, to: THEIRS, body: expect.stringMatching(/^Your table/) },
    ])
  })

  const form = new URLSearchParams({ MessageSid: 'SM9', From: THEIRS, To: OURS, Body: 'LATE' })
  const callback = (): Promise<Response> =>
    host.fetch(
      new Request(`${URL_OF_TWILIO}/sms`, {
        method: 'POST',
        headers: { 'x-twilio-signature': signatureOf(AUTH_TOKEN, `${URL_OF_TWILIO}/sms`, form) },
        body: form,
      }),
    )
  for (let times = 0; times < 2; times++) expect((await callback()).status).toBe(200)
  await vi.waitFor(() => {
    expect(local.messages.map(({ body }) => body)).toEqual([
      'You said LATE.',
      expect.stringMatching(/^Your table/),
    ])
  })
  const filter = { accountId, agentId: 'PROJECT-harbour', environment: 'live' as const }
  const { records } = await host.platform.reading.records(filter, { offset: 0 }, 10)
  expect(records).toHaveLength(1)
  await vi.waitFor(async () => {
    expect(await host.platform.texts.standing(records[0]?.id ?? '')).toMatchObject({
      ...{ waiting: 0, settled: [{ status: 'sent' }, { status: 'sent' }] },
    })
  })
  expect((await host.fetch(new Request('https://agents.example.com/elsewhere'))).status).toBe(404)
})
