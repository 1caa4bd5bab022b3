import { expectLinear } from '@colloquy/test-support/work'
import { test } from 'vitest'
import { linksOf } from '../../src/link-previews/links-of.ts'
import { textOf } from '../../src/link-previews/page-text.ts'
import { isPublicAddress } from '../../src/outbound-http/addresses.ts'

const utf8 = new TextEncoder()

test.each<[string, (size: number) => unknown]>([
  ['an address of percent signs', size => isPublicAddress(`${'%'.repeat(size)}\n`)],
  [
    'a page of blanks after its charset',
    size => textOf(utf8.encode(`<meta charset=${' '.repeat(size)}!`), ''),
  ],
  ['a page of metas', size => textOf(utf8.encode('<meta charset'.repeat(size / 13)), '')],
  ['a content type of blanks', size => textOf(new Uint8Array(), `charset=${' '.repeat(size)}!`)],
  ['a message of addresses', size => linksOf('https://'.repeat(size / 8))],
])('AR57 %s', (_, work) => expectLinear(16_000, work))
