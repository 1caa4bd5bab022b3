import { expect, test } from 'vitest'
import { createLog } from '../src/log.ts'

function recorder() {
  const lines: string[] = []
  return { lines, destination: { write: (line: string) => void lines.push(line) } }
}

test('SS9 secrets are blacked out, at the top and one level below', () => {
  const { lines, destination } = recorder()
  const secret = 'cq_op_1234567890'
  const log = createLog('debug', [], destination)
  for (const name of [
    'authorization',
    'token',
    'access_token',
    'accessToken',
    'secret',
    'key',
    'api_key',
    'apiKey',
    'x-api-key',
    'x-token',
  ]) {
    log.info('message', { [name]: secret, headers: { [name]: secret }, kept: 'kept' })
  }
  expect(lines).toHaveLength(10)
  for (const line of lines) {
    expect(line).not.toContain(secret)
    expect(JSON.parse(line)).toMatchObject({ msg: 'message', kept: 'kept' })
  }
})

test('SS9 the level decides what is logged', () => {
  const { lines, destination } = recorder()
  const log = createLog('warn', [], destination)
  log.debug('debug')
  log.info('info')
  log.warn('warn')
  log.error('error', { where: 'here' })
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { msg: 'warn' },
    { msg: 'error', where: 'here' },
  ])
})

test('SS16 the key of the language model is blacked out wherever it stands, and short ones leave words alone', () => {
  const { lines, destination } = recorder()
  const key = 'sk-with"quote-and\\slash'
  const log = createLog('info', [key, 'none'], destination)
  log.warn(`Incorrect key ${key}`, { error: `Error: ${key} is none of ours` })
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { msg: 'Incorrect key [Redacted]', error: 'Error: [Redacted] is none of ours' },
  ])
})
