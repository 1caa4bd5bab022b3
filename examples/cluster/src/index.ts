export { createClusterBus, relayNotices } from './cluster-bus.ts'
