import * as z from 'zod'
import { FILE_TYPES } from '../domain/file/file.ts'
import { about, bytes, count, group, number, setting, time } from './kinds.ts'

const MIB = 1_048_576
const DAY = 86_400_000

const type = about(z.enum(FILE_TYPES), {
  ...{ doc: 'A media type.', unit: null, type: 'FileType' },
  allowed: FILE_TYPES.join(', '),
})

/** The bounds of files that visitors and live agents send (FI1 to FI11). */
export const fileRules = group(
  {
    type: 'FileRules',
    doc: 'Files that visitors and live agents send, where the host gives `files` (FI1).',
  },
  {
    types: setting(z.array(type).min(1), [...FILE_TYPES], {
      doc: 'The types that are taken. A file must be declared as one of them, and be it by its content (FI2).',
      type: 'readonly FileType[]',
      allowed: `a list of some of ${FILE_TYPES.join(', ')}`,
      unit: null,
      items: type,
    }),
    bytes: number(10 * MIB, { from: 1, to: 100 * MIB }, 'A file.', 'bytes'),
    picturePixels: count(
      50_000_000,
      'Width times height of a picture: a small file may unpack to a large one (FI4).',
    ),
    perMessage: count(5, 'Files that a message names.', { to: 20 }),
    perConversation: count(50, 'Files of a conversation.', { to: 1_000 }),
    bytesPerConversation: bytes(100 * MIB, 'All files of a conversation.'),
    uploadsAtOnce: count(
      16,
      'Files that a process receives at a time, of an account three quarters; each is in memory meanwhile.',
      {
        to: 1_000,
      },
    ),
    uploadTime: time(120_000, 'Time in which a file must arrive.'),
    unnamedFor: number(
      3_600_000,
      { from: 120_000, to: 7 * DAY },
      'Time after which a file is removed that no message has named (FI11).',
      'milliseconds',
    ),
    addressLifetime: number(
      300_000,
      { from: 1_000, to: DAY },
      'Time after which the address of a file expires (FI13).',
      'milliseconds',
    ),
    deadline: number(
      30_000,
      { from: 1, to: 60_000 },
      'Time in which the port for files must store, open or remove a file.',
      'milliseconds',
    ),
  },
)
