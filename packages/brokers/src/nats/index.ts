export { createNatsBus, type NatsBusOptions } from './nats-bus.ts'
