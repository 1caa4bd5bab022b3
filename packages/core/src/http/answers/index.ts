import { agentAnswers } from './agents.ts'
import { alertAnswers } from './alerts.ts'
import { contentAnswers } from './content.ts'
import { conversingAnswers } from './conversing.ts'
import { operatorAnswers, webhookAnswers } from './operating.ts'
import { recordAnswers } from './records.ts'

/**
 * What every route answers, by its operation. Routes take the types of their answers from here, and documents and tests
 * the schemas; a server that answers needs neither, so nothing that it loads imports this.
 */
export const ANSWERS = {
  ...agentAnswers,
  ...contentAnswers,
  ...recordAnswers,
  ...conversingAnswers,
  ...operatorAnswers,
  ...webhookAnswers,
  ...alertAnswers,
}
