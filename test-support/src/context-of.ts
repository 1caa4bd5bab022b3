export { contextOf } from '../../packages/core/src/platform-context.ts'
