/**
 * The texts with which the messaging family refuses a request or a handshake (contract/messaging.md, Over HTTP).
 */
export const MESSAGING_TEXTS = {
  missingHeaders: 'Missing authentication headers',
  unknownConnector: 'Connector token does not exist',
  hostMismatch: 'Failed to validate connector',
  noHost: 'Connector missing host domain',
  missingToken: 'Missing access token',
  invalidToken: 'Invalid access token',
  badRequest: 'Error parsing request',
  origin: "origin not allowed: the page's host is not registered with the connector",
  insecure: 'secure connection required: use https:// or wss://',
  handshakeParameters: 'invalid connection parameters',
  handshakeToken: 'authentication failed',
  handshakeSession: 'session not found',
  handshakeRate: 'too many requests',
  handshakeBusy: 'the store is busy',
  goingAway: 'the server is going away',
  eventFailed: 'an event could not be taken: send it again, and what came after it',
  noRoomForRating: 'the conversation has no room for a rating',
  handshakeLimit: 'connection limit exceeded for session',
} as const
