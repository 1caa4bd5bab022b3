import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from './addresses.ts'

/** Resolves a name to all its addresses; `dns.lookup` with `all` is one. */
export type ResolveAll = (
  hostname: string,
  callback: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void

/** Resolves names with the operating system. */
export const resolveBySystem: ResolveAll = (hostname, callback) =>
  systemLookup(hostname, { all: true }, (error, addresses) => callback(error, addresses ?? []))

/** An address that may not be reached. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/** Returns the refusal of a host. */
export const refusalOf = (host: string, address = host): AddressRefused => {
  const shown = host === address ? address : `${host} leads to ${address}, which`
  return new AddressRefused(`${shown} is not an address of the public Internet`)
}

/**
 * Returns a lookup for sockets that yields checked addresses alone: the connection goes to one that was checked, so a
 * name that changes its mind between check and use gains nothing. One refused address refuses the whole name.
 */
export function createCheckedLookup(resolveAll: ResolveAll): LookupFunction {
  return (hostname, options, callback) => {
    resolveAll(hostname, (error, addresses) => {
      const [first] = addresses
      const refused = addresses.find(({ address }) => !isPublicAddress(address))
      if (error !== null) callback(error, '')
      else if (first === undefined) callback(new Error(`${hostname} has no address`), '')
      else if (refused !== undefined) callback(refusalOf(hostname, refused.address), '')
      else if (options.all) callback(null, [...addresses])
      else callback(null, first.address, first.family)
    })
  }
}
