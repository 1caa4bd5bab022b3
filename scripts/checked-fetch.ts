import { installCheckedFetch } from '../test-support/src/checked-fetch.ts'

// Before anything looks at the globals: what tests fetch from servers is compared with the OpenAPI document (DO30).
installCheckedFetch()
