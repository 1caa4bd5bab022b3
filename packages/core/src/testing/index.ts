export {
  batchEvents,
  connectSocketPair,
  isRefusal,
  openSocketPair,
  type ReceivedEvent,
  type SocketPair,
} from './socket-pair.ts'
