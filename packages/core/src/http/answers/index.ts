import { agentAnswers } from './agents.ts'
import { alertAnswers } from './alerts.ts'
import { contentAnswers } from './content.ts'
import { conversingAnswers } from './conversing.ts'
import { operatorAnswers, webhookAnswers } from './operating.ts'
import { recordAnswers } from './records.ts'
import { replayAnswers } from './replays.ts'
import { rolloutAnswers } from './rollouts.ts'

/**
 * The responses of every route, by its operation. Routes take the types of their responses from here, documents and
 * tests take the schemas. A running server needs neither, so nothing that it loads imports this.
 */
export const ANSWERS = {
  ...agentAnswers,
  ...contentAnswers,
  ...rolloutAnswers,
  ...replayAnswers,
  ...recordAnswers,
  ...conversingAnswers,
  ...operatorAnswers,
  ...webhookAnswers,
  ...alertAnswers,
}
