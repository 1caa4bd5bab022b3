export { createTwilioCarrier, type TwilioCarrierOptions } from './carrier.ts'
export { isSignedBy, signatureOf } from './signature.ts'
export { createTwilioHandler, type TwilioHandlerOptions } from './webhooks.ts'
