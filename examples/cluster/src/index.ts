export { busAt, type OpenBus } from './bus.ts'
