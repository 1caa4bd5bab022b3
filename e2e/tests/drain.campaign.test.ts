import { connect } from 'node:net'
import { greetedVisitor, openDemoSession, readRecord } from '@colloquy/test-support/demo'
import { readStream } from '@colloquy/test-support/event-stream'
import { linesOf, type Program, run, within } from '@colloquy/test-support/program'
import {
  CREDENTIALS,
  type Standalone,
  startedBefore,
  startStandalone,
} from '@colloquy/test-support/standalone'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { at } from '../../examples/quickstart/src/json.ts'

/** A socket of a new session, open: no client, as one would come back by itself and keep the code to itself. */
async function openSocket(server: Standalone): Promise<WebSocket> {
  const { sessionId, accessToken } = await openDemoSession(server)
  const address = new URL('/ws', server.url.replace('http', 'ws'))
  address.searchParams.set('session_id', sessionId)
  address.searchParams.set('access_token', accessToken)
  const socket = new WebSocket(address)
  onTestFinished(() => socket.terminate())
  await within(new Promise(resolve => socket.once('message', resolve)), 'the replay')
  return socket
}

/** A connection whose request never ends: it keeps a draining server until its deadline. */
async function holdRequest(server: Standalone): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port: Number(server.port) })
  onTestFinished(() => {
    socket.destroy()
  })
  socket.on('error', () => {})
  const head = [
    'POST /v1/external-events/webhook?event_id_location=payload&event_id_path=id&account_id=demo&project_id=PROJECT-DEMO HTTP/1.1',
    'Host: localhost',
    `X-Api-Key: ${CREDENTIALS.COLLOQUY_EXTERNAL_EVENTS_KEY}`,
    'Content-Type: text/plain',
    'Content-Length: 100',
    'Expect: 100-continue',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  // The server asks for the body: the request is in its hands.
  await within(new Promise(resolve => socket.once('data', resolve)), '100 Continue')
}

/** Resolves when the server takes no more connections. */
async function refuses(server: Standalone): Promise<void> {
  const refused = () =>
    new Promise<boolean>(resolve => {
      const socket = connect({ host: '127.0.0.1', port: Number(server.port) })
      socket.once('connect', () => {
        socket.destroy()
        resolve(false)
      })
      socket.once('error', () => resolve(true))
    })
  const until = async (): Promise<void> => {
    if (!(await refused())) await until()
  }
  await within(until(), 'refusing connections')
}

/** What a server has said for people, but for the link that every start prints, and for what its conversations did. */
const complaintsOf = ({ output }: Standalone): readonly string[] =>
  linesOf(output.stderr).filter(
    line => !line.startsWith('The console, with a link') && !line.startsWith('{"level":30,'),
  )

test.each(['SIGTERM', 'SIGINT'] as const)(
  'SS12 %s closes sockets with 1001 and exits with 0',
  async signal => {
    const server = await startStandalone(await startedBefore())
    const socket = await openSocket(server)
    const closed = new Promise<number>(resolve => socket.once('close', resolve))
    server.kill(signal)
    expect(await within(closed, 'close')).toBe(1001)
    expect(await within(server.exit, 'exit')).toBe(0)
    expect(complaintsOf(server)).toEqual([])
  },
)

test('SS12 and ES10 a draining server tells its streams, and ends them', async () => {
  const server = await startStandalone(await startedBefore())
  const { sessionId, accessToken } = await openDemoSession(server)
  const answer = await fetch(`${server.url}/api/v1/sessions/${sessionId}/stream`, {
    headers: { authorization: `Bearer ${accessToken}` },
  })
  const stream = readStream(answer)
  await within(
    stream.until(() => stream.frames().length > 0),
    'the replay',
  )
  server.kill('SIGTERM')
  await within(stream.gone, 'the end of the stream')
  expect(stream.closedBy()).toEqual({ code: 1001, reason: 'server going away' })
  expect(await within(server.exit, 'exit')).toBe(0)
  expect(complaintsOf(server)).toEqual([])
})

test('SS12 npm start passes the signal on: the server drains and npm exits with 0', async () => {
  const npm: Program = run('npm', ['start', '--silent'], { PORT: '0', ...(await startedBefore()) })
  await npm.line(/"listening"/)
  npm.kill('SIGTERM')
  expect(await within(npm.exit, 'exit')).toBe(0)
})

test('SS12 a draining server takes no connections, and waits for requests under way no longer than its deadline', async () => {
  const server = await startStandalone(await startedBefore())
  await holdRequest(server)
  server.kill('SIGTERM')
  await refuses(server)
  expect(await within(server.exit, 'exit')).toBe(0)
})

test('SS12 a second signal exits at once', async () => {
  const server = await startStandalone(await startedBefore())
  await holdRequest(server)
  server.kill('SIGTERM')
  await refuses(server)
  const again = setInterval(() => server.kill('SIGTERM'), 100)
  // At its deadline it would exit with 0.
  expect(await within(server.exit, 'exit').finally(() => clearInterval(again))).toBe(143)
})

test('SS12 what a visitor said before the drain is kept', async () => {
  const settings = await startedBefore()
  const server = await startStandalone(settings)
  const { visitor, sessionId } = await greetedVisitor(server)
  visitor.say('When is breakfast?')
  await visitor.next('USER_MESSAGE')
  server.kill('SIGTERM')
  expect(await within(server.exit, 'exit')).toBe(0)
  const next = await startStandalone({ ...settings, PORT: server.port })
  await visitor.next('AI_AGENT_MESSAGE')
  const record = await readRecord(next, sessionId)
  expect(at(record, 'turns.1.user_input')).toBe('When is breakfast?')
})
