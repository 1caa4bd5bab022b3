import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '@colloquy/test-support/program'
import { describe, expect, onTestFinished, test } from 'vitest'
import { programAt } from '../../../scripts/programs/program.ts'
import { memoryStorage } from '../src/messaging/index.ts'
import { EVERY_WAY, saidIn, upTo, watch } from './support/watch.ts'

const PROGRAM = programAt('packages/client/tests/support/host-program.ts')

describe.each(EVERY_WAY)('over %s', way => {
  test('a server that is killed in the middle of a reply and started again loses and doubles nothing, for two clients', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'colloquy-client-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const start = (port: string) =>
      run(process.execPath, PROGRAM, { DATABASE: join(folder, 'hotel.db'), PORT: port })
    const said = async (program: ReturnType<typeof start>, name: string): Promise<string> =>
      (await program.line(new RegExp(`^${name}: `))).replace(`${name}: `, '')
    const first = start('0')
    const [connectorToken, port] = [await said(first, 'Connector token'), await said(first, 'Port')]

    const storage = memoryStorage()
    const options = { server: `http://localhost:${port}`, connectorToken, storage, maxAttempts: 50 }
    const one = watch({ ...options, way })
    await one.until(({ messages }) => messages.at(-1)?.state === 'done')
    const two = watch({ ...options, way })
    await two.until(({ messages }) => messages.at(-1)?.state === 'done')
    one.send('one')
    await two.until(({ messages }) => messages.at(-1)?.text.startsWith('You said ') ?? false)
    first.kill('SIGKILL')
    await first.exit
    await Promise.all([one, two].map(client => client.until(({ status }) => status === 'reconnecting')))
    one.send('two')
    const second = start(port)
    await said(second, 'Port')

    const answer = (text: string) => `agent done: You said ${text}, and dogs are welcome.`
    for (const client of [one, two]) {
      await client.until(({ messages }) => messages.filter(({ state }) => state === 'done').length === 5)
      const said = saidIn(client.current)
      // The reply is begun again once the killed process has lost its claim: what is said meanwhile comes before it.
      expect(said.filter(text => text.startsWith('visitor'))).toEqual([
        'visitor done: one',
        'visitor done: two',
      ])
      expect(said.filter(text => text.startsWith('agent'))).toEqual([
        'agent done: Welcome.',
        answer('one'),
        answer('two'),
      ])
      expect(client.log.map(([sequence]) => sequence)).toEqual(upTo(client.log.length))
    }
    expect(one.current.messages).toEqual(two.current.messages)
  })
})
