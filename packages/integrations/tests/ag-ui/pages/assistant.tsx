// A page of assistant-ui as its guide has it, over a run handler beside it.
import { HttpAgent } from '@ag-ui/client-0'
import {
  AssistantRuntimeProvider,
  ComposerPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
} from '@assistant-ui/react'
import { useAgUiRuntime } from '@assistant-ui/react-ag-ui'
import { useEffect, useMemo, useState } from 'react'

const Message = ({ from }: { readonly from: string }) => (
  <MessagePrimitive.Root className={from}>
    <MessagePrimitive.Parts />
  </MessagePrimitive.Root>
)

const messages = {
  UserMessage: () => <Message from="visitor" />,
  AssistantMessage: () => <Message from="agent" />,
}

export function Page({ threadId }: { readonly threadId: string }) {
  const agent = useMemo(
    () => new HttpAgent({ url: '/agent', threadId, headers: { 'x-visitor': 'ada' } }),
    [threadId],
  )
  const [problem, setProblem] = useState('')
  const runtime = useAgUiRuntime({ agent })
  // assistant-ui takes a run that says RUN_ERROR as finished.
  useEffect(() => {
    const told = agent.subscribe({
      onRunInitialized: () => setProblem(''),
      onRunErrorEvent: ({ event }) => setProblem(event.message),
    })
    return () => told.unsubscribe()
  }, [agent])
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <ThreadPrimitive.Root>
        <ThreadPrimitive.Viewport>
          <ThreadPrimitive.Messages components={messages} />
        </ThreadPrimitive.Viewport>
        {problem !== '' && <p role="alert">{problem}</p>}
        <ComposerPrimitive.Root>
          <ComposerPrimitive.Input aria-label="Message" />
          <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
        </ComposerPrimitive.Root>
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  )
}
