export { eventsOf, wakesAt } from '../../packages/core/src/testing/contracts/store/stored.ts'
