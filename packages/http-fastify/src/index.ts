import { PlatformError } from '@colloquy/core'
import type { Mountable } from '@colloquy/core/transport'
import { createRouter, type RouterOptions } from '@colloquy/http-express'
import type { FastifyPluginCallback } from 'fastify'
import { mountRouter } from './mount.ts'

/** Options for `register`: the platform, and the options of `createRouter` of `@colloquy/http-express`. */
export interface ColloquyPluginOptions extends RouterOptions {
  /** The platform, or a ready dispatcher, such as that of the console. */
  readonly platform: Mountable
}

/** Options of `register` that Fastify itself reads. */
const FASTIFYS = ['prefix', 'logLevel', 'logSerializers'] as const

function routerOptions(given: ColloquyPluginOptions): RouterOptions {
  if (typeof given !== 'object' || !('platform' in given)) {
    const message = 'colloquyPlugin takes the platform as an option. Register it with { platform }.'
    throw new PlatformError('SCHEMA_VALIDATION_FAILED', message)
  }
  const own = Object.entries(given).filter(
    ([name]) => name !== 'platform' && !FASTIFYS.some(known => known === name),
  )
  return Object.fromEntries(own)
}

/**
 * The HTTP families of a platform as a Fastify plugin, in a scope of its own: at any prefix, with the host's hooks
 * before it, and with bodies that Fastify leaves alone (FY1 to FY5).
 *
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option or family (EM4), when Fastify loads it
 */
export const colloquyPlugin: FastifyPluginCallback<ColloquyPluginOptions> = (scope, options, done) => {
  try {
    mountRouter(scope, createRouter(options.platform, routerOptions(options)))
    done()
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)))
  }
}
