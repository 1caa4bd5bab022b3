import { existsSync } from 'node:fs'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { hotelServer } from './hotel-tools.ts'

// As long as this file is there, the hotel cannot be started.
if (existsSync(process.env.HOTEL_SHUT ?? '')) process.exit(1)

serveStdio(() => {
  const server = hotelServer()
  server.registerTool('crash', { description: 'Ends the program.' }, () => process.exit(1))
  server.registerTool('pid', { description: 'Its process.' }, () => ({
    content: [{ type: 'text', text: `${process.pid} ${process.env.HOTEL_SECRET ?? ''}` }],
  }))
  server.registerTool('grow', { description: 'Has one tool more.' }, () => {
    server.registerTool('grown', { description: 'New.' }, () => ({
      content: [{ type: 'text', text: 'new' }],
    }))
    return { content: [{ type: 'text', text: 'grown' }] }
  })
  server.registerTool('hang', { description: 'Never answers.' }, context => {
    context.mcpReq.signal.addEventListener('abort', () => process.stderr.write('cancelled\n'))
    return new Promise(() => undefined)
  })
  return server
})
