import { ALL_KINDS, type Batch, createSequence, DOCUMENT_KINDS, type Documents } from '@colloquy/core/store'
import { anAuditEntry, anEndpoint, aVoice, aWebhookEvent } from '@colloquy/core/testing'
import { createPool } from 'mariadb'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { poolConfigOf } from '../src/database/pool.ts'
import { createSession, type Runner } from '../src/database/session.ts'
import { createDocuments } from '../src/documents/documents.ts'
import { documentStatements } from '../src/documents/statements.ts'
import { createMariaStore } from '../src/store.ts'
import { describeMaria, nameIn } from './maria.ts'

const nextNumber = createSequence(() => 0)
const { audit_entry: AUDIT_ENTRY, voice: VOICE } = DOCUMENT_KINDS
const ACCOUNT = aVoice('V').accountId

const put = (id: string, values: Parameters<typeof aVoice>[1] = {}): NonNullable<Batch['put']> => [
  { kind: VOICE, value: aVoice(id, values) },
]
const absent = (id: string): Batch['when'] => [{ kind: VOICE, id, version: 0 }]

describeMaria('writes', ({ empty, fresh, pool: root }) => {
  let url = ''
  let store: Awaited<ReturnType<typeof createMariaStore>>
  let documents: Documents
  let rows: Runner['rows']
  let close = async (): Promise<void> => {}
  async function open(): Promise<void> {
    url = await fresh()
    store = await createMariaStore({ url })
    const pool = createPool(poolConfigOf(url, 8))
    const session = createSession(pool)
    documents = createDocuments(session, nextNumber)
    rows = statement => session.alone('explain', on => on.rows(statement))
    close = async () => {
      await pool.end()
      await store.close()
    }
  }
  beforeEach(async () => {
    if (url === '') await open()
    await empty(url)
  })
  afterAll(() => close())
  const voices = async () =>
    (await documents.scan(VOICE, 'account', { prefix: [ACCOUNT] })).map(({ id }) => id)

  it('MA7 texts hold every character, in the order of code points, and none is cut off', async () => {
    const ids = [
      'a',
      'a ',
      'a\u0000',
      'A',
      '',
      '\ud7ff',
      '\ud800',
      '\ud83d',
      '\udfff',
      '\ue000',
      '\ue000a',
      '\ue001',
      '\uffff',
      '😀',
    ]
    const ordered = ['', 'A', 'a', 'a\u0000', 'a ', ...ids.slice(5)]
    for (const id of ids)
      expect(await documents.write({ when: absent(id), put: put(id, { name: `${id}\ue000` }) })).toBeNull()
    expect(await voices()).toEqual(ordered)
    expect((await documents.get(VOICE, ids)).map(voice => voice?.name)).toEqual(ids.map(id => `${id}\ue000`))
    const after = [aVoice('V').createdAt, '\udfff']
    expect(await documents.scan(VOICE, 'account', { prefix: [ACCOUNT], after, limit: 1 })).toMatchObject([
      { id: '\ue000' },
    ])
    const long = '😀'.repeat(250)
    expect(await documents.write({ when: absent(long), put: put(long) })).toBeNull()
    for (const when of [absent(`${long}a`), []])
      await expect(documents.write({ when, put: put(`${long}a`) })).rejects.toThrow(
        "MariaDB could not write the voice: Data too long for column 'id' at row",
      )
    expect(await voices()).toHaveLength(ids.length + 1)
  })

  it('MA8 a permanent document is changed by nobody, and removed by a batch alone', async () => {
    await store.audit.append(anAuditEntry('A-1'))
    const table = `${nameIn(url)}.audit_entry`
    await expect(root.query(`update ${table} set body = ''`)).rejects.toThrow('audit_entry is append-only.')
    await expect(root.query(`delete from ${table}`)).rejects.toThrow('audit_entry is append-only.')
    await expect(store.audit.append(anAuditEntry('A-1'))).rejects.toThrow('audit_entry is append-only.')
    expect(await documents.write({ when: [], remove: [{ kind: AUDIT_ENTRY, id: 'A-1' }] })).toBeNull()
    expect((await store.audit.list({}, 9)).values).toEqual([])
    await store.audit.append(anAuditEntry('A-2'))
    await expect(root.query(`delete from ${table}`)).rejects.toThrow('audit_entry is append-only.')
  })

  it('an endpoint that is deleted at the same time leaves no delivery', async () => {
    for (let run = 0; run < 10; run++) {
      await empty(url)
      for (const id of ['W-1', 'W-2']) await store.webhooks.endpoints.create(anEndpoint(id), 9)
      const { accountId } = anEndpoint('W-1')
      const events = Array.from({ length: 6 }, () => aWebhookEvent(`E-${nextNumber()}`))
      await Promise.all([
        ...events.map(event => documents.write({ when: [], outbox: { webhooks: [event] } })),
        store.webhooks.endpoints.delete(accountId, 'W-1'),
      ])
      const listed = async (endpointId: string) =>
        (await store.webhooks.deliveries.list({ endpointId }, 99)).values
      expect(await listed('W-1')).toEqual([])
      expect(await listed('W-2')).toHaveLength(events.length)
    }
  })

  it('MA10 when connections end in the middle of writes, what was acknowledged is there', async () => {
    const ids = Array.from({ length: 200 }, (_, at) => `V-${at}`)
    const rest = { kind: VOICE, index: 'account', prefix: [ACCOUNT], atMost: 999 }
    const writing = Promise.allSettled(
      ids.map(id => documents.write({ when: [...absent(id), rest], put: put(id) })),
    )
    const name = nameIn(url)
    const ends = await root.query<readonly { readonly id: bigint }[]>(
      'select id from information_schema.processlist where db = ?',
      [name],
    )
    for (const { id } of ends) await root.query(`kill ${id}`).catch(() => undefined)
    const answers = await writing
    const there = new Set(await voices())
    for (const [at, answer] of answers.entries())
      if (answer.status === 'fulfilled') expect(there).toContain(ids[at])
      else expect(answer.reason).toMatchObject({ code: 'STORE_BUSY' })
    expect(answers.map(({ status }) => status)).toContain('rejected')
    expect(await documents.write({ when: absent('V-last'), put: put('V-last') })).toBeNull()
  })

  it('`close` waits for what is under way, and later calls reject', async () => {
    const other = await createMariaStore({ url })
    const writing = other.access.voices.create(aVoice('V-1'), 9)
    await Promise.all([other.close(), other.close()])
    expect(await writing).toBe('created')
    await expect(other.access.voices.list(ACCOUNT)).rejects.toThrow('closed')
  })

  it('a text of a visitor is in no message of an error', async () => {
    const secret = 'what a visitor said'
    const error: unknown = await documents
      .write({ when: [], put: put('long'.repeat(300), { name: secret }) })
      .catch(error => error)
    expect(error).toBeInstanceOf(Error)
    for (let at = error; at instanceof Error; at = at.cause)
      expect(at.message + at.stack).not.toContain(secret)
  })

  it('every list reads its index in order, and begins at its place', async () => {
    const plans = ALL_KINDS.flatMap(kind =>
      // Nobody lists those with a key by their ids.
      Object.entries(kind.key === undefined ? { ...kind.indexes, id: [] } : kind.indexes).flatMap(
        ([index, columns]) =>
          [...columns, 'id'].map((_, length) => async () => {
            const sample = (column: string) => (kind.columns[column]?.type === 'text' ? 'a' : 1)
            const values = columns.map(sample)
            const id = kind.key === undefined ? 'a' : JSON.stringify(kind.key.map(sample))
            const [prefix, after] = [values.slice(0, length), [...values.slice(length), id]]
            const list = documentStatements(kind).list(index, {
              prefix,
              after,
              descending: length % 2 > 0,
              limit: 2,
            })
            const [plan] = await rows<Readonly<Record<string, unknown>>>({
              sql: `explain ${list.sql}`,
              values: list.values,
            })
            return { index: `${kind.name} ${index} ${length}`, type: plan?.type, extra: plan?.Extra }
          }),
      ),
    )
    // One after the other: of all at once the last would wait for a connection until the others are done.
    const found = []
    for (const plan of plans) found.push(await plan())
    const wrong = found.filter(
      ({ extra, type }) =>
        (type !== 'range' && !/^Impossible WHERE/.test(String(extra))) ||
        /filesort|temporary/.test(String(extra)),
    )
    expect(wrong).toEqual([])
  })
})
