import { texts } from './language.ts'

/** Names of the environments. */
export const say = texts({
  environment: ['Environment', 'Umgebung'],
  sandbox: ['Sandbox', 'Sandbox'],
  'pre-release': ['Pre-release', 'Vorab'],
  live: ['Live', 'Live'],
})
