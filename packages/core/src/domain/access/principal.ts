import type { ApiKey } from './access.ts'

/** Who makes a request: the holder of an API key, or anyone, on routes that check a credential of their own. */
export type Principal = { readonly type: 'api_key'; readonly key: ApiKey } | { readonly type: 'anyone' }
