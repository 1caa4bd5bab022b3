import { openDemoSession } from '@colloquy/test-support/demo'
import { linesOf, runExample, within } from '@colloquy/test-support/program'
import { CREDENTIALS, startedBefore, startStandalone } from '@colloquy/test-support/standalone'
import { expect, onTestFinished, test } from 'vitest'
import { connectVisitor } from '../../examples/quickstart/src/visitor.ts'

// Slow: it starts the standalone server and the quickstart anew for each test.

test('QS1 the quickstart goes through, twice on one server', async () => {
  const server = await startStandalone(await startedBefore())
  for (const account of ['demo', 'ws-demo']) {
    const quickstart = runExample(
      'quickstart',
      { COLLOQUY_URL: server.url, ...CREDENTIALS },
      '--account',
      account,
    )
    expect(await quickstart.exit, quickstart.output.stderr).toBe(0)
    const { stdout } = quickstart.output
    expect(linesOf(stdout).at(-1)).toBe('Done: every step gave what the contract says.')
    for (const line of [
      'Edit main: refused with 422',
      'Promote to live',
      'Ask for a person: the agent hands over',
      'The live agent leaves: the session ends',
      '"max_concurrent_conversations":1',
    ]) {
      expect(stdout).toContain(line)
    }
    for (const secret of Object.values(CREDENTIALS)) expect(stdout).not.toContain(secret)
  }
})

test('QS1 a question asked while the server is away is answered when it is back', async () => {
  const settings = await startedBefore()
  const server = await startStandalone(settings)
  const environment = { COLLOQUY_URL: server.url, COLLOQUY_PAUSE: '1', ...CREDENTIALS }
  const quickstart = runExample('quickstart', environment)
  await quickstart.line(/Paused before the second question/)
  server.kill('SIGKILL')
  await quickstart.line(/connection lost/)
  quickstart.write('\n')
  await startStandalone({ ...settings, PORT: server.port })
  expect(await quickstart.exit, quickstart.output.stderr).toBe(0)
  expect(quickstart.output.stdout).toContain('{"events":18,"missing":0,"doubled":0}')
})

test.each([
  [{}, [], /^Failed: Not given: COLLOQUY_OPERATOR_KEY .*COLLOQUY_WORKSPACE_KEY .*COLLOQUY_DESK_KEY/],
  [
    CREDENTIALS,
    ['--url', 'nonsense'],
    /^Failed: --url or COLLOQUY_URL must be an http or https address, not "nonsense"\.$/,
  ],
  [CREDENTIALS, ['--url', 'http://127.0.0.1:9'], /^Failed: .*Is the server running\?$/],
  [CREDENTIALS, ['--nonsense'], /^Failed: .*--nonsense.*--help/],
])('QS3 what is missing or wrong is said in one line: %o %o', async (environment, flags, line) => {
  const quickstart = runExample('quickstart', environment, ...flags)
  expect(await quickstart.exit).toBe(1)
  expect(linesOf(quickstart.output.stderr)).toEqual([expect.stringMatching(line)])
})

test('QS3 a step that does not give what the contract says fails the quickstart', async () => {
  const server = await startStandalone(await startedBefore())
  const environment = {
    ...CREDENTIALS,
    COLLOQUY_URL: server.url,
    COLLOQUY_WORKSPACE_KEY: 'none-of-the-keys-here',
  }
  const quickstart = runExample('quickstart', environment)
  expect(await quickstart.exit).toBe(1)
  expect(quickstart.output.stderr).toMatch(/^Failed: createAgent: \S/)
})

test('the visitor tells what the server says is wrong', async () => {
  const server = await startStandalone(await startedBefore())
  const session = await openDemoSession(server)
  const said = new Promise<string>(resolve => {
    const onStatus = (status: string): void => {
      if (!status.startsWith('connected')) resolve(status)
    }
    const visitor = connectVisitor({ url: server.url, ...session, onStatus })
    onTestFinished(() => visitor.stop())
    // Before the agent was asked for.
    visitor.say('Good morning')
  })
  expect(await within(said, 'what the server says')).toBe('the server says: Error: Conversation not found')
})
