import { createTestPlatform } from '@colloquy/test-support/platform'
import { expect, test } from 'vitest'
import { ERROR_STATUS, type ErrorCode, PlatformError } from '../src/errors.ts'

const isCode = (name: string): name is ErrorCode => name in ERROR_STATUS
const CODES = Object.keys(ERROR_STATUS).filter(isCode)

test.each(CODES)('EM8 an error of code %s has the status that HTTP answers with', code => {
  const { status } = new PlatformError(code, 'No.')
  expect(status).toBe(ERROR_STATUS[code])
  expect(status).toBeGreaterThanOrEqual(400)
})

test('EM8 what a call throws has it too', async () => {
  const { platform } = createTestPlatform()
  const thrown = await platform.desk.handoff('ws-none', 'none.1').catch((error: unknown) => error)
  expect(thrown).toMatchObject({ code: 'HANDOFF_NOT_FOUND', status: 404 })
})
