import type { AgentRuntime, RuntimePart } from '@colloquy/core/runtime'
import { createSignal } from '@colloquy/test-support/signal'
import { onTestFinished } from 'vitest'

const drawn = (shapes: string): string =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 264 160" width="264" height="160">${shapes}</svg>`)}`

/** A picture that needs no server: the sea, and the sun over it. */
const PICTURE = drawn(
  '<rect width="264" height="160" fill="#f6d7a8"/><circle cx="190" cy="78" r="26" fill="#e8743b"/><path d="M0 92h264v68H0z" fill="#2b6f8f"/><path d="M0 112q22-10 44 0t44 0 44 0 44 0 44 0 44 0v48H0z" fill="#1d5470"/><path d="M70 92l0-44 30 40z" fill="#fff"/><path d="M54 92h52l-8 10H62z" fill="#7a3b1e"/>',
)

/** A lighthouse in a square. */
export const LOGO = drawn(
  '<rect x="52" width="160" height="160" fill="#1d5470"/><path d="M118 40h28l8 84h-44z" fill="#fff"/><path d="M115 72h34l2 20h-38z" fill="#e8743b"/><path d="M120 26h24v14h-24z" fill="#f6d7a8"/>',
)

const text = (words: string): RuntimePart => ({ type: 'text', text: words })

const LONG = [
  'Yes, **dogs are welcome**. A few things to know:',
  '',
  '- 15 € a night and dog',
  '- two dogs a room at most',
  '- not in the *breakfast room*, see [our house rules](https://hotel.example/rules)',
  '',
  'Say `dog` when you book.',
].join('\n')

/** What the agent says to some words; to all others it says them back. */
const REPLIES: Readonly<Record<string, readonly RuntimePart[]>> = {
  greeting: [text('Welcome to the Harbour Hotel. How can I help you?')],
  'May I bring my dog?': [text(LONG)],
  suggest: [
    text('When would you like to come?'),
    { type: 'suggestion', text: 'This weekend' },
    { type: 'suggestion', text: 'In December' },
    { type: 'suggestion', text: 'I am flexible' },
  ],
  card: [
    text('This is our sea view room.'),
    {
      type: 'attachment',
      attachment: {
        title: 'Sea view room',
        contentType: 'url',
        contentUrl: 'https://hotel.example/rooms/sea',
        previewImageUrl: PICTURE,
        callToActionText: 'See and book',
      },
    },
    {
      type: 'attachment',
      attachment: {
        title: '',
        contentType: 'image',
        contentUrl: PICTURE,
        previewImageUrl: '',
        callToActionText: '',
      },
    },
    { type: 'call_action', action: { title: 'Call the front desk', contactNumber: '+49 40 123 456' } },
  ],
  person: [{ type: 'handoff', destination: 'reception', reason: 'asked' }],
  français: [{ type: 'language', languageCode: 'fr-FR' }, text('Bien sûr, continuons en français.')],
  bye: [text('Good-bye. Have a safe trip.'), { type: 'end' }],
}

/** The front desk of a hotel, which stops in the middle of a reply where it was asked to `hold`. */
export function createConcierge() {
  const signal = createSignal()
  const asked: string[] = []
  let held = true
  const runtime: AgentRuntime = {
    async *respond({ input }) {
      const words = input.type === 'message' ? input.text : 'greeting'
      asked.push(words)
      signal.changed()
      const parts = REPLIES[words]
      if (parts !== undefined) yield* parts
      else if (words.startsWith('think')) {
        await signal.until(() => !held)
        yield text('I have thought about it.')
      } else if (words.startsWith('hold')) {
        yield text('One moment, ')
        await signal.until(() => !held)
        yield text('now I know.')
      } else yield text(`You said ${words}.`)
    },
  }
  const release = (): void => {
    held = false
    signal.changed()
  }
  onTestFinished(release)
  return {
    runtime,
    /** What came to the agent. */
    asked,
    /** Replies that were held go on, and no other is held. */
    release,
  }
}
