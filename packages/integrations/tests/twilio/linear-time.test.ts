import { expectLinear } from '@colloquy/test-support/work'
import { test } from 'vitest'
import { isSignedBy } from '../../src/twilio/signature.ts'

const signed = (body: string): boolean =>
  isSignedBy(['token'], '', { url: 'https://a.example/sms', form: new URLSearchParams(body) })

test.each<[string, (size: number) => unknown]>([
  [
    'a form of names, each once',
    size => signed(Array.from({ length: size / 4 }, (_, at) => at.toString(36)).join('&')),
  ],
  ['a form of one name', size => signed('a=1&'.repeat(size / 4))],
  ['a form of percent signs', size => signed('%'.repeat(size))],
])('AR57 %s', (_, work) => expectLinear(4_000, work))
