/** The HTTP calls about voices of a server, typed. */
export { createVoicesApi, type VoicesApi } from './create-voices-api.ts'
