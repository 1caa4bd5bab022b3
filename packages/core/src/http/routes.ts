import type { Route } from './route.ts'
import { agentRoutes } from './routes/agents.ts'
import { alertRoutes } from './routes/alerts.ts'
import { auditLogRoutes } from './routes/audit-log.ts'
import { legacyCallRoutes, outboundCallRoutes } from './routes/calls.ts'
import { chatRoutes } from './routes/chat.ts'
import { concurrencyRoutes } from './routes/concurrency.ts'
import { conversationRoutes } from './routes/conversations.ts'
import { debugChatRoutes } from './routes/debug-chat.ts'
import { deskRoutes } from './routes/desk.ts'
import { deskFigureRoutes } from './routes/desk-figures.ts'
import { deskQueueRoutes } from './routes/desk-queues.ts'
import { externalEventRoutes } from './routes/external-events.ts'
import { fileRoutes } from './routes/files.ts'
import { handoffStateRoutes } from './routes/handoff-state.ts'
import { messagingRoutes } from './routes/messaging.ts'
import { numberPoolRoutes, numberReservationRoutes } from './routes/number-reservation.ts'
import { operatorRoutes } from './routes/operator.ts'
import { operatorNumberRoutes } from './routes/operator-numbers.ts'
import { sharedReplyRoutes } from './routes/shared-replies.ts'
import { textRoutes } from './routes/texts.ts'
import { webhookRoutes } from './routes/webhooks.ts'

/** Every route of the platform: what the dispatcher serves and the documents describe. */
export const routes: readonly Route[] = [
  ...agentRoutes,
  ...outboundCallRoutes,
  ...debugChatRoutes,
  ...chatRoutes,
  ...conversationRoutes,
  ...concurrencyRoutes,
  ...externalEventRoutes,
  ...messagingRoutes,
  ...fileRoutes,
  ...operatorRoutes,
  ...operatorNumberRoutes,
  ...numberPoolRoutes,
  ...auditLogRoutes,
  ...deskRoutes,
  ...sharedReplyRoutes,
  ...deskQueueRoutes,
  ...deskFigureRoutes,
  ...webhookRoutes,
  ...alertRoutes,
  ...textRoutes,
  ...legacyCallRoutes,
  ...handoffStateRoutes,
  ...numberReservationRoutes,
]
