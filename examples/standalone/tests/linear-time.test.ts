import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { createTestPlatform } from '@colloquy/test-support/platform'
import { expectLinear } from '@colloquy/test-support/work'
import { expect, onTestFinished, test } from 'vitest'
import { noFile } from '../src/console/session-file.ts'
import { createSignIn } from '../src/console/sign-in.ts'
import { withFrontPage } from '../src/front-page.ts'
import { createLog } from '../src/log.ts'

/** Headers of HTTP have at most 16 KiB together, which is the second size. */
const FIRST_HEADER = 8_000

const written = (text: string): string => {
  const lines: string[] = []
  createLog('info', [], { write: given => void lines.push(given) }).info(text)
  return lines.join('')
}

test.each(['eyJ-', 'eyJ.', 'cq_aa_', 'a.', '.', 'eyJa.b.'])('AR57 a line of nothing but %s', begin => {
  return expectLinear(16_000, size => written(begin.repeat(size / begin.length)))
})

test.each(['a=b;', ';', '=', ' ', 'colloquy_console=', 'a=b; '])(
  'AR57 a cookie of nothing but "%s"',
  begin => {
    const { platform } = createTestPlatform({ workers: false })
    onTestFinished(() => platform.close())
    const { authorize } = createSignIn(platform, noFile)
    const from = (cookie: string) => ({
      ...{ method: 'GET', path: '/', query: '', headers: { cookie }, secure: false, remoteAddress: '' },
      ...{ body: async () => new Uint8Array(), route: null },
    })
    return expectLinear(FIRST_HEADER, size => authorize(from(begin.repeat(size / begin.length))))
  },
)

test.each(['text/html,', ',', 'a;q=0', 'q=0.', '*/*;', ' '])('AR57 an Accept of nothing but "%s"', begin => {
  const request = new IncomingMessage(new Socket())
  request.method = 'GET'
  request.url = '/welcome'
  const listen = withFrontPage(() => undefined, true)
  return expectLinear(FIRST_HEADER, size => {
    request.headers.accept = begin.repeat(size / begin.length)
    listen(request, new ServerResponse(request))
  })
})

test('CR20 tokens are taken out wherever they stand', () => {
  const token = `eyJ${'a'.repeat(9)}.eyJ${'b'.repeat(9)}.${'c'.repeat(9)}`
  for (const around of ['?', '-?-', 'a.?', '"?"', '?.tail', 'x=?&y=1']) {
    const line = written(around.replace('?', token))
    expect(line, around).toContain('[Redacted]')
    expect(line, around).not.toContain('ccccccccc')
  }
})
