import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The words of the brand with which the tests of this project run; left out for the usual one. */
    readonly brand?: TestBrand
  }
}

/** The words of a brand. */
export interface TestBrand {
  readonly events: string
  readonly headers: string
}

/**
 * The brand of the platforms and clients of a test. The project `another brand` runs the tests that it names with
 * another one: whoever speaks the protocol is to read the host's words and not the usual ones.
 */
export const TEST_BRAND: TestBrand = inject('brand') ?? { events: 'AI', headers: 'AI' }
