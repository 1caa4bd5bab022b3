import { browserStorage, fromConnector } from '@colloquy/client/messaging'
import { useConversation } from '@colloquy/client/react'

export function Chat({ server, connectorToken }: { server: string; connectorToken: string }) {
  const { chat, handoff, messages, servedBy, status, thinking, typing } = useConversation({
    server,
    getToken: fromConnector({ server, connectorToken }),
    storage: browserStorage(),
  })
  return (
    <section>
      <header>{servedBy ? servedBy.name : status}</header>
      <ol role="log">
        {messages.map(({ id, from, state, text, problem }) => (
          <li key={id} className={from} aria-busy={state === 'streaming'}>
            {text} {state === 'sending' && '…'}
            {state === 'failed' && <em>Not sent. {problem}</em>}
          </li>
        ))}
      </ol>
      {(thinking || typing) && <p>…</p>}
      {handoff?.state === 'queued' && <p>Your place in the queue: {handoff.position}</p>}
      {status === 'ended' && <input type="button" value="New conversation" onClick={chat.renew} />}
      <form action={data => void chat.send(String(data.get('text')))}>
        <input name="text" aria-label="Message" onInput={chat.typing} autoComplete="off" />
      </form>
    </section>
  )
}
