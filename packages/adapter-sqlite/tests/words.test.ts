import { createMemoryDocuments } from '@colloquy/core/memory'
import { ALL_KINDS, createSequence, type Documents, type Kind } from '@colloquy/core/store'
import BetterSqlite3 from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../src/database/database.ts'
import { createSession } from '../src/database/session.ts'
import { createDocuments } from '../src/documents/documents.ts'
import { temporaryStoreFile } from './files.ts'

const kindOf = (name: string): Kind<unknown> => {
  const found = ALL_KINDS.find(kind => kind.name === name)
  if (found === undefined) throw new Error(`There is no kind ${name}.`)
  return found
}
const [TURN, LISTED] = [kindOf('turn'), kindOf('listed_conversation')]

const WORDS = ['room', 'café', 'garden', 'chair', '部', '屋', 'order', 'blue'] as const

/** Numbers that look drawn, the same every time. */
function drawing(): (below: number) => number {
  let seed = 7
  return below => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
}

function openFile(filename: string): Documents {
  const session = createSession(openDatabase({ filename }))
  onTestFinished(() => session.close())
  return createDocuments(session, createSequence(Date.now))
}

const listed = (id: string) => ({
  ...{ id, version: 1, accountId: 'ws-1', agentId: 'A-1', environment: 'live', counted: false },
  ...{
    startedAt: 1,
    finishedAt: null,
    variantId: null,
    variantName: null,
    deploymentId: null,
    channel: 'chat',
  },
  ...{ language: null, toNumber: '' },
})

const turn = (log: string, number: number, said: string, version: number) => ({
  ...{ conversationId: `C-${log}`, log, number, place: version },
  record: { user_input: said, agent_response: 'Yes.' },
  details: {},
})

it('SQ60 a search finds what is there, in the index or not, over whichever of two connections it was written', async () => {
  const filename = temporaryStoreFile()
  const [one, other] = [openFile(filename), openFile(filename)]
  const model = createMemoryDocuments()
  const draw = drawing()
  const logs = Array.from({ length: 30 }, (_, at) => `log-${at}`)
  const write = async (batch: Parameters<Documents['write']>[0]) => {
    await (draw(2) === 0 ? one : other).write(batch)
    await model.write(batch)
  }
  await write({ when: [], put: logs.map(log => ({ kind: LISTED, value: listed(`C-${log}`) })) })
  let place = 0
  for (let step = 0; step < 60; step++) {
    const put = Array.from({ length: 40 }, () => {
      const said = Array.from({ length: 3 }, () => WORDS[draw(WORDS.length)]).join(' ')
      const value = turn(logs[draw(logs.length)] ?? '', draw(60), said, ++place)
      return { kind: TURN, value }
    })
    // Sometimes the newest rows too: those that come next get their numbers.
    const gone = step % 3 === 0 ? put.slice(-20).map(({ value }) => ({ kind: TURN, id: TURN.id(value) })) : []
    await write({ when: [], put, remove: gone })
    if (step % 7 === 0) {
      const log = logs[draw(logs.length)] ?? ''
      await write({ when: [], clear: [{ kind: TURN, index: 'log', prefix: [log] }] })
    }
    const words = Array.from({ length: 1 + draw(3) }, () => [`user:${WORDS[draw(WORDS.length)]}`, 'agent:no'])
    const containing = { kind: TURN, column: 'conversation_id', words }
    const range = { prefix: ['ws-1', 'A-1', 'live'], containing }
    expect(await one.scan(LISTED, 'scope', range)).toEqual(await model.scan(LISTED, 'scope', range))
  }
  const file = new BetterSqlite3(filename, { readonly: true })
  onTestFinished(() => {
    file.close()
  })
  const left = 'SELECT count(*) FROM turn WHERE row > (SELECT through FROM turn_words_done)'
  expect(file.prepare(left).pluck().get()).toBeLessThan(3 * 256)
  file.exec("CREATE VIRTUAL TABLE temp.kept USING fts5vocab('main', 'turn_words', 'row')")
  const kept = file.prepare<unknown[], string>('SELECT term FROM kept').pluck().all()
  expect(kept.length).toBeGreaterThan(5)
  expect(
    kept.filter(term => !/^[\da-f]{12}$/.test(term)),
    'terms that are no hashes',
  ).toEqual([])
})
