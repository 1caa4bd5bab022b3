import type { Route } from './route.ts'
import { operatorRoutes } from './routes/operator.ts'

/** Every route of the platform: what the dispatcher serves and the documents describe. */
export const routes: readonly Route[] = [...operatorRoutes]
