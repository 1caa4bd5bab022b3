// Made from packages/core/openapi.json by `npm run document`.

/** The calls, in the form that `callsOf` reads: short, because pages load it. */
export const OPERATIONS = `@workspaceKey
0v1/accounts/:accountId/voice-library listVoices createVoice
4:voiceId update read
5sample readVoiceSample`
