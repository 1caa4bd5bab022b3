import { texts } from './language.ts'

/** What each environment is called. */
export const say = texts({
  environment: ['Environment', 'Umgebung'],
  sandbox: ['Sandbox', 'Sandbox'],
  'pre-release': ['Pre-release', 'Vorab'],
  live: ['Live', 'Live'],
})
