import { createMessaging } from '@colloquy/client/messaging'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { useConversation } from '../../src/react/index.ts'

type Source = Parameters<typeof useConversation>[0]

function Status({ source, shared }: { readonly source: Source; readonly shared: unknown }) {
  const { chat, status } = useConversation(source)
  return createElement('p', null, `${status} ${chat === shared}`)
}

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
  const rendered = (source: Source) => renderToString(createElement(Status, { source, shared }))
  expect(rendered(options)).toBe('<p>idle false</p>')
  expect(rendered(shared)).toBe('<p>idle true</p>')
  expect(asked).toBe(0)
})
