import type { Conversation } from '@colloquy/client/messaging'
import { speakerOf } from '../view/parts.ts'
import type { Words } from '../words/en.ts'

/** Returns a conversation as a text to keep: a paragraph for each message, with its time and who says it. */
export function transcriptOf({ messages }: Pick<Conversation, 'messages'>, words: Words): string {
  return messages
    .filter(({ state }) => state === 'done')
    .map(message => {
      const time = message.timestamp.slice(0, 16).replace('T', ' ')
      const links = message.attachments.map(({ title, url }) => `\n${title} ${url}`)
      return `[${time} UTC] ${speakerOf(message, words)}\n${message.text}${links.join('')}\n`
    })
    .join('\n')
}
