import type { SentFile } from '@colloquy/core'
import type { HistoryLine, RuntimeTurn } from '@colloquy/core/runtime'
import { A_PICTURE } from '@colloquy/core/testing'
import { expect, test } from 'vitest'
import type { AiSdkRuntimeOptions } from '../src/options.ts'
import { makeTurn, partsOf, textOf, withServer } from './support/turn.ts'

const file = (name: string, type = 'image/png', size = A_PICTURE.length): SentFile => ({
  ...{ file_id: `id of ${name}`, name, content_type: type, size },
})

const line = (text: string, ...files: readonly SentFile[]): HistoryLine => ({
  ...{ from: 'visitor', text, at: 0 },
  ...(files.length === 0 ? {} : { files }),
})

/** What a provider is sent of a turn, and which files were read for it. */
async function sent(
  text: string,
  files: readonly SentFile[],
  options: Partial<AiSdkRuntimeOptions>,
  history: readonly HistoryLine[] = [],
) {
  const { runtime, server } = await withServer([{ type: 'reply', chunks: ['A lamp.'] }], options)
  const read: string[] = []
  const turn: RuntimeTurn = {
    ...makeTurn({ input: { type: 'message', messageId: 'm', text, files }, history }),
    async readFile(id) {
      read.push(id)
      return id.includes('gone') ? null : A_PICTURE
    },
  }
  expect(textOf(await partsOf(runtime, turn))).toBe('A lamp.')
  return { read, messages: JSON.stringify(server.requests[0]?.body) }
}

const BASE64 = Buffer.from(A_PICTURE).toString('base64')

test('FI50 a model without pictures reads the names of files, and no file is read for it', async () => {
  const earlier = line('bill.pdf', file('bill.pdf', 'application/pdf'))
  const { messages, read } = await sent('What is this?', [file('lamp.png')], {}, [earlier])
  expect(read).toEqual([])
  expect(messages).toContain('What is this?\\n[Files: lamp.png]')
  expect(messages).toContain('[Files: bill.pdf]')
  expect(messages).not.toContain('image_url')
})

test('FI50 a model that sees pictures gets the newest ones of the conversation, as many and as large as it may', async () => {
  const earlier = [line('old.png', file('old.png')), line('newer.png', file('newer.png'))]
  const files = [file('lamp.png'), file('large.png', 'image/png', 9_000), file('note.txt', 'text/plain')]
  const { messages, read } = await sent('Look', files, { pictures: 2, pictureBytes: 8_000 }, earlier)
  expect(read).toEqual(['id of lamp.png', 'id of newer.png'])
  expect(messages.split(`data:image/png;base64,${BASE64}`)).toHaveLength(3)
  expect(messages).toContain('[Picture: lamp.png]')
  expect(messages).toContain('[Picture: newer.png]')
  expect(messages).toContain('[Files: lamp.png, large.png, note.txt]')
})

test('FI50 a picture that was removed meanwhile is left out', async () => {
  const { messages } = await sent('Look', [file('gone.png')], { pictures: 2 })
  expect(messages).not.toContain('image_url')
  expect(messages).toContain('[Files: gone.png]')
})
