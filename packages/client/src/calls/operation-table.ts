// Made from packages/core/openapi.json by `npm run document`.

/** The calls, in the form that `callsOf` reads: short, because pages load it. */
export const OPERATIONS = `@workspaceKey
0v1/agents/:agentId/telephony/outbound-calls placeOutboundCall
5:callSid/status read
@authToken
0v1/outbound-calling start
2:call_sid/status readOutboundCallStatus`
