import { composeSecret, systemIds } from '@colloquy/core'
import { expect, test } from 'vitest'
import { createLog } from '../src/log.ts'
import { readSettings, secretsOf } from '../src/settings.ts'

function recorder() {
  const lines: string[] = []
  return { lines, destination: { write: (line: string) => void lines.push(line) } }
}

test('CR20 secrets are blacked out, at the top and one level below', () => {
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

test('CR20 the level decides what is logged', () => {
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

test('SS2 the key of the language model is blacked out wherever it stands, and short ones leave words alone', () => {
  const { lines, destination } = recorder()
  const key = 'sk-with"quote-and\\slash'
  const log = createLog('info', [key, 'none'], destination)
  log.warn(`Incorrect key ${key}`, { error: `Error: ${key} is none of ours` })
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { msg: 'Incorrect key [Redacted]', error: 'Error: [Redacted] is none of ours' },
  ])
})

test('CR20 CR20 credentials are blacked out wherever they stand: generated ones by their form, given ones by name', () => {
  const { lines, destination } = recorder()
  const settings = readSettings({
    COLLOQUY_DESK_KEY: 'desk-key-of-the-environment',
    COLLOQUY_TOKEN_SECRET: 'token-secret-1234567 token-secret-before-it',
  })
  const log = createLog('debug', secretsOf(settings), destination)
  const generated = (
    ['workspace', 'project', 'external_events', 'desk', 'operator', 'connector'] as const
  ).map(kind => composeSecret(kind, systemIds.secret()))
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJlLW9mLWEtdG9rZW4'
  const secrets = [...generated, jwt, ...secretsOf(settings)]
  for (const secret of secrets) {
    const error = new Error(`no such key: ${secret}`)
    log.error(`failed with ${secret}`, {
      url: `/ws?access_token=${secret}&a=b`,
      deep: { a: { b: [secret] } },
      error,
    })
    log.debug(secret, { stack: error.stack })
  }
  expect(lines).toHaveLength(2 * secrets.length)
  for (const secret of secrets) for (const line of lines) expect(line).not.toContain(secret.slice(-10))
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    msg: 'failed with [Redacted]',
    url: '/ws?access_token=[Redacted]&a=b',
  })
  log.info('cq_is_ no secret', { eye: 'eyJust a word' })
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ msg: 'cq_is_ no secret', eye: 'eyJust a word' })
})
