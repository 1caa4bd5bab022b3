// Made from packages/core/openapi.json by `npm run document`.

/** The calls, in the form that `callsOf` reads: short, because pages load it. */
export const OPERATIONS = `@workspaceKey
0v1/accounts/:accountId/voice-library listVoices createVoice
4:voiceId update read
5sample readVoiceSample
1agents/:agentId/audio-cache listCachedAudio
4:entryId delete
5details replaceCachedAudioDetails.-
5file updateCachedAudioFile.- read.audio/wav
5synthesize synthesizeCachedAudio.audio/wav
4bulk-delete bulkDeleteCachedAudio`
