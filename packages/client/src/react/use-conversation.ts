import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import {
  type Conversation,
  createMessaging,
  type Messaging,
  type MessagingOptions,
} from '../messaging/index.ts'

/** A conversation, and the client that acts in it. */
export type UsedConversation = Conversation & {
  /** `send`, `resend`, `typing`, `end`, `renew` and the others. */
  readonly chat: Messaging
}

const isClient = (source: MessagingOptions | Messaging): source is Messaging => 'subscribe' in source

/**
 * A visitor's conversation. The component renders again whenever something in it has changed.
 *
 * Given options, it starts a client when the component is mounted and destroys it when that goes; later options change
 * nothing, so a component for another server or visitor gets another `key`. Given a client, which several components
 * may share, it leaves starting and destroying to its owner.
 */
export function useConversation(source: MessagingOptions | Messaging): UsedConversation {
  const own = !isClient(source)
  const first = useRef(source)
  const used = useRef(false)
  // A client does nothing before it is started.
  const [made, setMade] = useState(() => (isClient(source) ? source : createMessaging(source)))
  const chat = own ? made : source

  // biome-ignore lint/correctness/useExhaustiveDependencies: one client for the life of the component
  useEffect(() => {
    if (isClient(first.current)) return
    // In strict mode effects run twice, and the first client is destroyed by now.
    const client = used.current ? createMessaging(first.current) : made
    used.current = true
    setMade(client)
    client.start()
    return () => client.destroy()
  }, [])

  const read = (): Conversation => chat.current
  return { ...useSyncExternalStore(chat.subscribe, read, read), chat }
}
