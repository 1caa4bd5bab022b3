/** The same turn with Socket.IO: three events to the room of a session, which it keeps for connections that recover. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { Server } from 'socket.io'
import { serve } from './serve.ts'

const server = createServer()
const sockets = new Server(server, {
  transports: ['websocket'],
  connectionStateRecovery: { maxDisconnectionDuration: 120_000, skipMiddlewares: true },
})
sockets.on('connection', socket => {
  const room = String(socket.handshake.query.session_id)
  const emit = (name, payload) => sockets.to(room).emit(name, payload)
  const say = text => {
    emit('AI_AGENT_THINKING', {})
    emit('AI_AGENT_MESSAGE', { message_id: randomUUID(), text })
  }
  socket.join(room)
  socket.on('REQUEST_AI_AGENT_JOIN', () => {
    emit('REQUEST_AI_AGENT_JOIN', {})
    emit('AI_AGENT_JOINED', { agent_name: 'Echo', avatar: '' })
    say('Welcome.')
  })
  socket.on('USER_MESSAGE', ({ text }) => {
    emit('USER_MESSAGE', { message_id: randomUUID(), text })
    say(`You said: ${text}`)
  })
})
await serve(server, null)
process.exit(0)
