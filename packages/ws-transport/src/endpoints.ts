/**
 * Parts of the endpoints, for packages of Colloquy that serve another kind of socket on a host's server. They may
 * change in any release.
 */
export { onlyValue, readUrl, requestClient } from './admission.ts'
export { attachEndpoint } from './attach-endpoint.ts'
export { type MessagingPlatform, messagingRules } from './attach-messaging.ts'
export {
  type Admitted,
  createEndpoint,
  type Endpoint,
  type EndpointRules,
  type UpgradeEndpoint,
} from './endpoint.ts'
export { type EndpointOptions, requireServer, withDefaults } from './options.ts'
export type { PeerConnection, PeerPort } from './peer.ts'
export { messagingAnswer } from './refuse-upgrade.ts'
