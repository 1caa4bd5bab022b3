import { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** The tools of a hotel, as its MCP server has them. */
export function hotelServer(): McpServer {
  const server = new McpServer(
    { name: 'hotel', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  )
  server.registerTool(
    'room.price',
    {
      description: 'Tells what a room costs.',
      inputSchema: z.object({ nights: z.number().int().min(1) }),
      outputSchema: z.object({ pounds: z.number() }),
    },
    ({ nights }) => ({ content: [], structuredContent: { pounds: 90 * nights } }),
  )
  server.registerTool(
    'say',
    { description: 'Says it.', inputSchema: z.object({ text: z.string() }) },
    ({ text }) => ({
      content: [
        { type: 'text', text },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      ],
    }),
  )
  server.registerTool('refuse', { description: 'Refuses.' }, () => ({
    isError: true,
    content: [{ type: 'text', text: 'No rooms on that day.' }],
  }))
  server.registerTool('meta', { description: 'Tells what it was told.' }, context => ({
    content: [{ type: 'text', text: JSON.stringify(context.mcpReq._meta ?? {}) }],
  }))
  server.registerTool(
    'much',
    {
      description: 'Says much.',
      inputSchema: z.object({ bytes: z.number(), structured: z.boolean().optional() }),
    },
    ({ bytes, structured }) =>
      structured
        ? { content: [], structuredContent: { text: 'ü'.repeat(bytes / 2) } }
        : { content: [{ type: 'text', text: 'ü'.repeat(bytes / 2) }] },
  )
  return server
}
