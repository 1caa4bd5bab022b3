import { createMessaging } from '@colloquy/client/messaging'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { useConversation } from '../src/index.ts'

test('UC2 rendered on a server, or over a client that is shared, nothing is started', () => {
  let asked = 0
  const options = {
    server: 'http://localhost:1',
    getToken: () => {
      asked += 1
      return Promise.reject(new Error('none'))
    },
  }
  const shared = createMessaging(options)
  const Status = ({ source }: { readonly source: Parameters<typeof useConversation>[0] }) => {
    const { chat, status } = useConversation(source)
    return createElement('p', null, `${status} ${chat === shared}`)
  }
  expect(renderToString(createElement(Status, { source: options }))).toBe('<p>idle false</p>')
  expect(renderToString(createElement(Status, { source: shared }))).toBe('<p>idle true</p>')
  expect(asked).toBe(0)
})
