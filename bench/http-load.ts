/** The load of the HTTP row, in a process of its own: keep-alive connections, one request at a time on each. */
import { connect, type Socket } from 'node:net'
import * as z from 'zod'
import { answerParent } from './child.ts'

const jobSchema = z.object({
  port: z.number(),
  agentId: z.string(),
  secret: z.string(),
  connections: z.number(),
})
type Job = z.output<typeof jobSchema>

const requestOf = ({ agentId, secret }: Job): string =>
  [
    `GET /v1/agents/${agentId} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Accept: application/json',
    'User-Agent: bench',
    `x-api-key: ${secret}`,
    '\r\n',
  ].join('\r\n')

/** The bytes of a whole answer, which are the same for each: ids and times in it have one length. */
async function firstAnswer(job: Job): Promise<string> {
  const socket = await opened(job)
  socket.write(requestOf(job))
  return new Promise((resolve, reject) => {
    let text = ''
    socket.on('error', reject).on('data', data => {
      text += data.toString('latin1')
      const length = /\r\ncontent-length: (\d+)\r\n/i.exec(text)?.[1]
      const head = text.indexOf('\r\n\r\n')
      if (length === undefined || head === -1 || text.length < head + 4 + Number(length)) return
      socket.removeAllListeners('close').destroy()
      resolve(text)
    })
  })
}

const opened = ({ port }: Job): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
    socket.once('close', () => {
      console.error('The server closed a connection.')
      process.exit(1)
    })
  })

const STATUS = Buffer.from('HTTP/1.1 200 ')

/** Resolves with the milliseconds that so many requests took, all connections asking at once. */
function ask(sockets: readonly Socket[], request: Buffer, size: number, count: number): Promise<number> {
  const started = performance.now()
  let left = count
  let waiting = count
  return new Promise((resolve, reject) => {
    for (const socket of sockets) {
      let received = 0
      const next = (): void => {
        if (left-- > 0) socket.write(request)
      }
      socket.removeAllListeners('data')
      socket.on('data', data => {
        if (received === 0 && STATUS.compare(data, 0, STATUS.length) !== 0)
          reject(new Error(`The server answered ${data.toString()}`))
        received += data.length
        if (received < size) return
        received = 0
        if (--waiting === 0) resolve(performance.now() - started)
        else next()
      })
      next()
    }
  })
}

const job = jobSchema.parse(JSON.parse(process.argv[2] ?? '{}'))
const answer = await firstAnswer(job)
const sockets = await Promise.all(Array.from({ length: job.connections }, () => opened(job)))
const request = Buffer.from(requestOf(job))
await answerParent({ answer }, count => ask(sockets, request, answer.length, Number(count)))
process.exit()
