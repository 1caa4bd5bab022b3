export { attachDesk, createDeskEndpoint } from './attach-desk.ts'
export { attachMessaging, createMessagingEndpoint, type MessagingPlatform } from './attach-messaging.ts'
export type { Endpoint, UpgradeEndpoint } from './endpoint.ts'
export type { DeskOptions, EndpointOptions } from './options.ts'
