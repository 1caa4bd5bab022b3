import type { Migration } from '../migrate.ts'
import { initial } from './0001-initial.ts'
import { intervalBlocks } from './0002-interval-blocks.ts'
import { contextKeys } from './0003-context-keys.ts'
import { alerts } from './0004-alerts.ts'
import { phoneNumbers } from './0005-phone-numbers.ts'
import { textPairs } from './0006-text-pairs.ts'
import { sharedIds } from './0007-shared-ids.ts'
import { replays } from './0008-replays.ts'
import { messageKeys } from './0009-message-keys.ts'
import { pooledNumbers } from './0010-pooled-numbers.ts'
import { outboundCalls } from './0011-outbound-calls.ts'
import { voices } from './0012-voices.ts'
import { cachedAudio } from './0013-cached-audio.ts'
import { webhookExchanges } from './0014-webhook-exchanges.ts'

/** All migrations, in order. A released one never changes. */
export const MIGRATIONS: readonly Migration[] = [
  initial,
  intervalBlocks,
  contextKeys,
  alerts,
  phoneNumbers,
  textPairs,
  sharedIds,
  replays,
  messageKeys,
  pooledNumbers,
  outboundCalls,
  voices,
  cachedAudio,
  webhookExchanges,
]
