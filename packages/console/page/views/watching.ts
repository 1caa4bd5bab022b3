/** Areas that watch agents, in one file. They share so much code that separate files would be larger. */
export { View as Alerts } from './alerts/index.tsx'
export { View as Concurrency } from './concurrency/index.tsx'
export { View as Conversations } from './conversations/index.tsx'
