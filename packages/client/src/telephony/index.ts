/** The HTTP calls about telephony of a server, typed. */
export { createTelephonyApi, type TelephonyApi } from './create-telephony-api.ts'
