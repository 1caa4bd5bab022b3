import { expectTypeOf, test } from 'vitest'
import type { EventName } from '../src/messaging/events.ts'
import { text, type Unread } from '../src/messaging/fields.ts'
import { writeFrame } from '../src/messaging/frames.ts'
import type { ClientPayloads, ServerPayloads } from '../src/messaging/wire.ts'

test('names and fields that are in no schema do not compile', () => {
  expectTypeOf<EventName>().toEqualTypeOf<keyof ServerPayloads | 'OTHER'>()
  expectTypeOf<ClientPayloads['USER_MESSAGE']>().toEqualTypeOf<{
    readonly text?: string | undefined
    readonly file_ids?: readonly string[] | undefined
  }>()
  const check = (payload: Unread<ServerPayloads['USER_MESSAGE']>) => [
    text(payload, 'message_id'),
    // @ts-expect-error there is no such field
    text(payload, 'messageId'),
    // @ts-expect-error the field of a message is its text
    writeFrame('USER_MESSAGE', { words: 'Hello' }, 'AI'),
    // @ts-expect-error servers alone say that
    writeFrame('SESSION_END', {}, 'AI'),
  ]
  expectTypeOf(check).toBeFunction()
})
