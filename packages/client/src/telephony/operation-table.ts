// Made from packages/core/openapi.json by `npm run document`.

/** The calls, in the form that `callsOf` reads: short, because pages load it. */
export const OPERATIONS = `@workspaceKey
0v1/agents/:agentId/telephony/connectors listTelephonyConnectors
5:connectorId updateTelephonyConnector read delete
5batch updateTelephonyConnectors find
5lookup findTelephonyConnector
4phone-numbers listPhoneNumbers import delete
5:phoneNumber updatePhoneNumber read import delete
5batch findPhoneNumbers
@operatorKey
0operator/v1/pooled-numbers listPooledNumbers add
3:phoneNumber deletePooledNumber
2telephony-connectors createTelephonyConnector
@projectKey
0v1/conversations/dni-reservation reserveNumber`
