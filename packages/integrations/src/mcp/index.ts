export { createMcpFunctions, type McpFunctions, type McpFunctionsOptions } from './mcp-functions.ts'
export type {
  McpHttpServer,
  McpLimits,
  McpServer,
  McpServerCommon,
  McpServerState,
  McpStdioServer,
} from './options.ts'
