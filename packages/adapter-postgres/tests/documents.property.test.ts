import { ALL_KINDS, createSequence, DOCUMENT_KINDS, type Documents } from '@colloquy/core/store'
import { aVoice } from '@colloquy/core/testing'
import { testDocuments } from '@colloquy/core/testing/contracts'
import { runs } from '@colloquy/test-support/runs'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { createPool } from '../src/database/pool.ts'
import { createSession } from '../src/database/session.ts'
import { createDocuments } from '../src/documents/documents.ts'
import { createPostgresStore } from '../src/store.ts'
import { describePostgres } from './postgres.ts'

// Slow: each batch of the contract is a transaction of a real PostgreSQL.

const VOICE = DOCUMENT_KINDS.voice

const nextSequence = createSequence(() => performance.now())

for (const prepare of [true, false])
  describePostgres(`prepare: ${prepare}`, ({ schemas }) => {
    const { url } = schemas
    const schema = schemas.fresh()
    const options = { nextSequence, writesPerStatement: 200, committed: () => {} }
    const openSession = () => {
      const pool = createPool({ url, maxConnections: 8 }, { schema, settings: prepare })
      return createSession({ pool, own: pool, schema, prepare, onClose: () => {} })
    }
    let session = openSession()
    afterAll(() => session.close())
    const others = new WeakMap<Documents, ReturnType<typeof openSession>>()
    /** Of another process, as it were: it has a queue and connections of its own. */
    const beside = async () => {
      const own = openSession()
      const documents = createDocuments(own, options)
      others.set(documents, own)
      return documents
    }
    let made: Promise<void> | null = null
    const open = async () => {
      made ??= createPostgresStore({ url, schema }).then(store => store.close())
      await made
      await schemas.empty(schema)
      return createDocuments(session, options)
    }
    const factory = {
      ...{ open, beside },
      async reopen() {
        await session.close()
        session = openSession()
        return createDocuments(session, options)
      },
      close: async (documents: Documents) => others.get(documents)?.close(),
    }
    testDocuments('PostgreSQL', factory, runs(12, 400))

    it('PG20 batches that name one document are written in the order in which they came', async () => {
      const documents = await open()
      const at = (version: number) =>
        documents.write({
          when: [{ kind: VOICE, id: 'V-1', version }],
          put: [{ kind: VOICE, value: aVoice('V-1', { version: version + 1 }) }],
        })
      const other = { kind: VOICE, value: aVoice('V-2', { version: 1 }) }
      const answers = [at(0), documents.write({ when: [], put: [other] }), at(1), at(2), at(0), at(3)]
      expect(await Promise.all(answers)).toEqual([null, null, null, null, 0, null])
    })

    it('PG30 of batches that hold, remove and add the same documents none undoes what another has decided', async () => {
      const documents = await open()
      const again = await beside()
      onTestFinished(() => factory.close(again))
      const other = 'V-2'
      for (let run = 0; run < 20; run++) {
        const holder = { kind: VOICE, id: `H-${run}`, version: 1 }
        await documents.write({ when: [], put: [{ kind: VOICE, value: aVoice(holder.id, { version: 1 }) }] })
        // Neither changes the version of what both hold; who comes second sees what the first has added.
        const [added] = await Promise.all([
          documents.write({ when: [holder], put: [{ kind: VOICE, value: aVoice(other, { version: 1 }) }] }),
          again.write({
            when: [holder],
            remove: [
              { kind: VOICE, id: other },
              { kind: VOICE, id: holder.id },
            ],
          }),
        ])
        expect([0, null]).toContain(added)
        expect(await documents.get(VOICE, [other, holder.id])).toEqual([null, null])
      }
    })

    it('SX200 texts are ordered by code points, whatever the locale of the database', async () => {
      await open()
      const { rows } = await schemas.pool.query(
        `select table_name, column_name from information_schema.columns
         where table_schema = $1 and table_name = any ($2) and data_type = 'text' and column_name <> 'body'
           and collation_name is distinct from 'C'`,
        [schema, ALL_KINDS.map(({ name }) => name)],
      )
      expect(rows).toEqual([])
    })
  })
