export { attachWebrtc, type WebrtcEndpoint, type WebrtcOptions } from './attach-webrtc.ts'
export type { MediaOptions } from './media-options.ts'
export type { IceServer, IceServers } from './routes.ts'
