export { attachMessaging, type MessagingEndpoint, type MessagingPlatform } from './attach-messaging.ts'
export type { MessagingOptions } from './options.ts'
