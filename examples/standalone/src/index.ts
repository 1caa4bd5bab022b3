export { createDemoConnector, createDemoPlatform, type DemoOptions } from './demo-platform.ts'
export { DEMO_ACCOUNT_ID, seedDemo } from './seed.ts'
export { StartError } from './start-error.ts'
