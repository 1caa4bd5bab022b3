import { texts } from './language.ts'

/** What each environment is called. */
export const say = texts(
  { environment: 'Environment', sandbox: 'Sandbox', 'pre-release': 'Pre-release', live: 'Live' },
  { environment: 'Umgebung', sandbox: 'Sandbox', 'pre-release': 'Vorab', live: 'Live' },
)
