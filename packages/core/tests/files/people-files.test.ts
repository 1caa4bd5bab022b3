import { ADA } from '@colloquy/test-support/desk-bench'
import { describe, expect, test } from 'vitest'
import type { Role } from '../../src/domain/access/person.ts'
import { createPeopleDispatcher } from '../../src/http/people-dispatcher.ts'
import { SAMPLES } from '../support/file-samples.ts'
import { request } from '../support/request.ts'
import { bytesOf, createFileBench } from './support.ts'

async function asPeople() {
  const bench = await createFileBench()
  const { clientOf, handoffOf, platform } = bench
  const visitor = await bench.waiting(platform)
  const { accountId, agentId } = visitor
  const file = await clientOf(visitor).uploaded(SAMPLES.png)
  const id = handoffOf(visitor)
  await platform.desk.accept(accountId, id, ADA)
  const read = async (path: string, roles: readonly Role[], accounts: readonly string[] = [accountId]) => {
    const people = createPeopleDispatcher(platform, {
      authorize: () => ({ id: 'u-1', name: 'Uma', roles, accounts }),
      version: '1',
    })
    const headers = { 'x-console': '1', 'x-account': accountId, host: 'app.example' }
    return people.handle(request(`GET ${path}`, { headers }))
  }
  return {
    ...{ ...bench, accountId, file, read, visitor },
    atDesk: `/desk/v1/handoffs/${id}/files/${file.file_id}/content`,
    inRecord: `/v1/agents/${agentId}/conversations/${visitor.id}/files/${file.file_id}/content`,
  }
}

describe('files for people', () => {
  test('FI13 who sits at the desk reads files of handoffs, and readers those of conversations', async () => {
    const { atDesk, inRecord, read } = await asPeople()
    for (const [path, role, wrong] of [
      [atDesk, 'desk', 'reader'],
      [inRecord, 'reader', 'desk'],
    ] as const) {
      const answer = await read(path, [role])
      expect(answer.headers['Content-Disposition']).toMatch(/^attachment; /)
      expect(await bytesOf(answer)).toEqual(SAMPLES.png)
      expect((await read(path, [wrong])).status).toBe(403)
      expect((await read(path, [role], ['ws-other'])).status).toBe(403)
    }
  })

  test('FI13 a file of another conversation is not there, and no address opens anything for people', async () => {
    const { atDesk, file, inRecord, platform, read, visitor } = await asPeople()
    for (const path of [atDesk, inRecord])
      expect((await read(path.replace(file.file_id, 'other'), ['operator', 'desk', 'reader'])).status).toBe(
        404,
      )
    const { accountId, agentId, id: conversationId } = visitor
    const wanted = { accountId, agentId, conversationId, fileId: file.file_id }
    const { token } = await platform.reading.fileAddress(wanted)
    expect((await read(`/api/v1/files/${token}`, ['operator'])).status).toBe(404)
  })
})
