import type { Resource, ResourceKind } from '@colloquy/core/domain'
import { fromJson } from '../database/json.ts'

/**
 * Resources of one kind that lie near each other in the file, as two JSON arrays of one length: a few texts to read,
 * not two a row.
 */
export interface ResourceBlock {
  readonly kind: ResourceKind
  readonly ids: string
  readonly values: string
}

/** What `JSON.parse` makes of the text that was written for a value. */
type Parsed = ReturnType<typeof JSON.parse>

/** The values of a block: text until the first of them is read. */
class Values {
  #text: string
  #parsed: readonly Parsed[] | null = null

  constructor(text: string) {
    this.#text = text
  }

  at(place: number): Parsed {
    if (this.#parsed === null) {
      this.#parsed = fromJson<readonly Parsed[]>(this.#text)
      this.#text = ''
    }
    return this.#parsed[place]
  }
}

/**
 * A resource whose value is parsed when it is first read: most readers of a revision of thousands need a few, and those
 * that need all read them in steps.
 */
class StoredResource {
  readonly kind: ResourceKind
  readonly id: string
  declare readonly value: Parsed
  readonly #values: Values
  readonly #place: number

  constructor(kind: ResourceKind, id: string, values: Values, place: number) {
    this.kind = kind
    this.id = id
    this.#values = values
    this.#place = place
    // A property of its own, so that a copy (by spread, as JSON) has it too.
    Object.defineProperty(this, 'value', StoredResource.#value)
  }

  /** One for all: with a function for each, no two would have the same shape, and reading them would be slow. */
  static readonly #value: PropertyDescriptor & ThisType<StoredResource> = {
    enumerable: true,
    get() {
      return this.#values.at(this.#place)
    },
  }
}

/** The resources of blocks, in their order. */
export function fromBlocks(blocks: readonly ResourceBlock[]): readonly Resource[] {
  const resources: Resource[] = []
  for (const { kind, ids, values } of blocks) {
    const some = new Values(values)
    for (const [place, id] of fromJson<readonly string[]>(ids).entries()) {
      resources.push(new StoredResource(kind, id, some, place))
    }
  }
  return resources
}
