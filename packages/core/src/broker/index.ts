export { atMost } from './at-most.ts'
export {
  type BrokerBus,
  type BrokerBusOptions,
  createBrokerBus,
} from './broker-bus.ts'
export {
  BROKER_BUS_SETTINGS,
  type BrokerBusSettings,
  type CheckedSettings,
  checkSettings,
  checkTiming,
  TIMING_SETTINGS,
  type TimingSettings,
} from './check-settings.ts'
export { asError, type Connect, type Connection, type ConnectionEvents, type Parcel } from './connection.ts'
export { createLink, type Kept, type Link, type LinkOptions, type Timing } from './link.ts'
