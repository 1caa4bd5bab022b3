import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/client'

/** A server error of JSON-RPC: its code is in the range for servers, the message is ours. */
const BROKEN_OFF = { code: -32_000, message: 'It broke off its answer.' }

/**
 * Returns a transport that fails a request when its response stream ends without a response: the SDK would
 * wait forever (MC20). A stream whose events have ids is resumed by the SDK first.
 */
export function httpTransport(
  url: URL,
  options: StreamableHTTPClientTransportOptions,
): StreamableHTTPClientTransport {
  const transport = new StreamableHTTPClientTransport(url, options)
  const waiting = new Set<string | number>()
  transport.onmessage = message => {
    if (!('method' in message) && message.id !== undefined) waiting.delete(message.id)
  }
  const send = transport.send.bind(transport)
  type Given = Parameters<typeof send>[1]
  transport.send = (message: JSONRPCMessage | JSONRPCMessage[], given?: Given) => {
    if (Array.isArray(message) || !isJSONRPCRequest(message)) return send(message, given)
    const { id } = message
    waiting.add(id)
    function onRequestStreamEnd(): void {
      given?.onRequestStreamEnd?.()
      if (waiting.delete(id)) transport.onmessage?.({ jsonrpc: '2.0', id, error: BROKEN_OFF })
    }
    return send(message, { ...given, onRequestStreamEnd }).catch((error: unknown) => {
      waiting.delete(id)
      throw error
    })
  }
  return transport
}
