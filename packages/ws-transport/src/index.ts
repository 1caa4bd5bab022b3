export { attachDesk } from './attach-desk.ts'
export { attachMessaging, type MessagingPlatform } from './attach-messaging.ts'
export type { Endpoint } from './endpoint.ts'
export type { DeskOptions, EndpointOptions } from './options.ts'
