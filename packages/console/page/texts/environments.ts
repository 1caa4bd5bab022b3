import { texts } from './language.ts'

/** Names of the environments. */
export const say = texts({
  environment: ['Environment', 'Umgebung'],
  sandbox: ['Sandbox', 'Sandbox'],
  'pre-release': ['Pre-release', 'Vorab'],
  live: ['Live', 'Live'],
  deployment: ['Deployment', 'Veröffentlichung'],
  'deployment.all': ['All', 'Alle'],
  'deployment.in': ['Version {version}, in {lane}', 'Version {version}, in {lane}'],
})
