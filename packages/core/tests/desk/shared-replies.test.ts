import { createDeskBench, handoffOf } from '@colloquy/test-support/desk-bench'
import { describe, expect, test } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import type { PlatformOptions } from '../../src/platform.ts'
import { request } from '../support/request.ts'

const ADA = { id: 'ada', name: 'Ada', avatarUrl: '' }

/** Two processes; a visitor waits. */
async function waiting(options: Partial<PlatformOptions> = {}) {
  const bench = createDeskBench()
  const [platform, other] = [bench.start(options), bench.start(options)]
  const visitor = await bench.waiting(platform)
  return { ...bench, platform, other, visitor, accountId: visitor.accountId, id: handoffOf(visitor) }
}

describe('shared replies', () => {
  test('DK553 what one process writes the other reads, by code; each change is in the audit log without the text', async () => {
    const { accountId, other, platform, visitor } = await waiting()
    const { replies } = platform.desk
    const bye = await replies.create(accountId, { code: 'Bye', text: 'Goodbye!' })
    const hello = await replies.create(accountId, {
      ...{ code: 'hello', text: 'Hello {visitor}!', language: 'en', agentId: visitor.agentId },
    })
    expect(await other.desk.replies.list(accountId)).toEqual([bye, hello])
    await expect(other.desk.replies.create(accountId, { code: 'HELLO', text: 'x' })).rejects.toMatchObject({
      code: 'REPLY_CODE_TAKEN',
      message: expect.stringContaining('"HELLO" is taken'),
    })
    const changed = await other.desk.replies.update(accountId, bye.id, { code: 'tschüss', text: 'Tschüss!' })
    expect(changed).toMatchObject({ code: 'tschüss', text: 'Tschüss!', version: 2 })
    expect(await other.desk.replies.update(accountId, bye.id, { code: 'tschüss' })).toEqual(changed)
    await replies.delete(accountId, hello.id)
    expect(await replies.list(accountId)).toEqual([changed])
    for (const act of [replies.delete(accountId, hello.id), replies.update(accountId, hello.id, {})])
      await expect(act).rejects.toMatchObject({ code: 'REPLY_NOT_FOUND' })
    await expect(replies.delete('ws-other', bye.id)).rejects.toMatchObject({ code: 'REPLY_NOT_FOUND' })
    const { entries } = await platform.audit.list({ limit: 4 })
    expect(entries.map(({ action }) => action)).toEqual([
      ...['shared_reply.deleted', 'shared_reply.changed', 'shared_reply.created', 'shared_reply.created'],
    ])
    expect(entries[1]?.details).toEqual({ changes: { code: { from: 'Bye', to: 'tschüss' }, text: true } })
    expect(JSON.stringify(entries)).not.toMatch(/Goodbye|Tschüss!/)
  })

  test('DK553 DK553 what does not fit is refused in words, and nothing is written', async () => {
    const { accountId, platform } = await waiting({ sharedReplies: 1, limits: { sharedReplyLength: 9 } })
    const { replies } = platform.desk
    const create = (code: string, text: string, more = {}) =>
      replies.create(accountId, { code, text, ...more })
    for (const [code, text] of [
      ['', 'x'],
      ['two words', 'x'],
      ['a'.repeat(41), 'x'],
      ['x', ''],
      ['x', '1234567890'],
    ] as const)
      await expect(create(code, text)).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
    await expect(create('x', 'Hi {name}')).rejects.toMatchObject({
      code: 'SCHEMA_VALIDATION_FAILED',
      message: expect.stringContaining('{name} is not a placeholder. Allowed: {visitor}, {agent}, {me}'),
    })
    await expect(create('x', 'x', { agentId: 'PROJECT-none' })).rejects.toMatchObject({
      code: 'PROJECT_NOT_FOUND',
    })
    expect(await replies.list(accountId)).toEqual([])
    await create('x', '{ }{1 }')
    await expect(create('y', 'y')).rejects.toMatchObject({
      code: 'REPLIES_LIMIT',
      message: 'An account has at most 1 shared replies.',
    })
  })

  test('DK553 a live agent gets those for the visitor, filled in', async () => {
    const { accountId, id, platform, visitor } = await waiting()
    const { replies } = platform.desk
    await replies.create(accountId, { code: 'all', text: 'Hello {visitor}, {me} of {agent} here.' })
    await replies.create(accountId, { code: 'own', text: 'Own', agentId: visitor.agentId })
    const elsewhere = await platform.agents.create({ accountId, name: 'Another', greeting: 'Hi' })
    await replies.create(accountId, { code: 'other', text: 'Other', agentId: elsewhere.id })
    await platform.desk.accept(accountId, id, ADA)
    const name = (await platform.agents.find(visitor.agentId))?.name
    expect((await replies.filled(accountId, id)).map(({ code, filled }) => [code, filled])).toEqual([
      ['all', `Hello, Ada of ${name} here.`],
      ['own', 'Own'],
    ])
    await expect(replies.filled('ws-other', id)).rejects.toMatchObject({ code: 'HANDOFF_NOT_FOUND' })
    await platform.agents.delete(elsewhere.id)
    expect((await replies.list(accountId)).map(({ code }) => code)).toEqual(['all', 'own'])
  })

  test('DK553 DK553 over HTTP: written, changed, listed, filled in, deleted', async () => {
    const { accountId, id, platform, visitor } = await waiting()
    const { secret } = await platform.access.createApiKey({ kind: 'desk', accountId })
    const dispatcher = createDispatcher(platform, routes)
    const ask = async (line: string, body?: unknown) => {
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const answer = await dispatcher.handle(
        request(line, { headers: { 'x-api-key': secret, ...type }, body }),
      )
      return { status: answer.status, json: JSON.parse(answer.body ?? 'null') }
    }
    const given = { code: 'hi', text: 'Hi {me}', project_id: visitor.agentId, language: 'en' }
    const { status, json } = await ask('POST /desk/v1/replies', given)
    expect([status, json]).toEqual([
      201,
      { ...given, id: expect.stringMatching(/^REPLY-/), created_at: '2026-01-01T00:00:00.000Z' },
    ])
    expect((await ask('POST /desk/v1/replies', { ...given, agentId: 'x' })).status).toBe(400)
    expect((await ask('POST /desk/v1/replies', given)).json.error_code).toBe('REPLY_CODE_TAKEN')
    const next = await ask(`PATCH /desk/v1/replies/${json.id}`, { project_id: null })
    expect(next).toEqual({ status: 200, json: { ...json, project_id: null } })
    expect((await ask('GET /desk/v1/replies')).json).toEqual({ replies: [next.json] })
    expect((await ask(`GET /desk/v1/handoffs/${id}/replies`)).json).toEqual({
      replies: [{ ...next.json, filled: 'Hi' }],
    })
    expect((await ask(`DELETE /desk/v1/replies/${json.id}`)).status).toBe(204)
    expect((await ask(`DELETE /desk/v1/replies/${json.id}`)).status).toBe(404)
  })
})
