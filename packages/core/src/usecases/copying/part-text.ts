import { canonicalJson } from '../../domain/canonical-json.ts'
import type { Json } from '../../domain/json.ts'

/** What a part says, as one text, whichever store it comes from. */
export function partText(part: object): string {
  const json: Json = JSON.parse(JSON.stringify(part))
  return canonicalJson(json)
}
