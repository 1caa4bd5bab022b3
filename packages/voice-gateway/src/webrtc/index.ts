export { attachWebrtc, type WebrtcEndpoint, type WebrtcOptions } from './attach-webrtc.ts'
export type { MediaOptions } from './peer.ts'
export type { IceServer, IceServers } from './routes.ts'
