/**
 * One whole WebSocket text frame, unmasked, as servers send them (RFC 6455, 5.2). The same text again, at once, gives
 * the same buffer: a text that goes to many sockets is encoded once.
 */
export function createFrameEncoder(): (text: string) => Buffer {
  let lastText = ''
  let lastFrame = encodeFrame('')
  return text => {
    if (text !== lastText) {
      lastFrame = encodeFrame(text)
      lastText = text
    }
    return lastFrame
  }
}

const FINAL_TEXT = 0x81
const FINAL_BINARY = 0x82

function encodeFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const [frame, offset] = withHead(FINAL_TEXT, length)
  frame.write(text, offset)
  return frame
}

/** One whole binary frame. */
export function encodeBytes(bytes: Uint8Array): Buffer {
  const [frame, offset] = withHead(FINAL_BINARY, bytes.byteLength)
  frame.set(bytes, offset)
  return frame
}

/** A frame with its head, and where the content goes. */
function withHead(kind: number, length: number): readonly [Buffer, number] {
  const offset = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(offset + length)
  frame[0] = kind
  if (offset === 2) frame[1] = length
  else if (offset === 4) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  return [frame, offset]
}
