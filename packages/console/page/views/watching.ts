/** What is watched of agents, in one file: its parts share so much that each by itself would be half as large again. */
export { View as Alerts } from './alerts/index.tsx'
export { View as Concurrency } from './concurrency/index.tsx'
export { View as Conversations } from './conversations/index.tsx'
