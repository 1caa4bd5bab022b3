import * as z from 'zod'
import { properLabelSchema } from '../agent/proper-name.ts'
import { type DeskService, deskServiceSchema } from '../conversation/desk-service.ts'
import type { AccountId } from '../ids.ts'
import { pictureOrNoneSchema } from '../web-address.ts'

/** The roles of a signed-in person (PE3). */
export const ROLES = ['reader', 'author', 'releaser', 'desk', 'operator'] as const
export type Role = (typeof ROLES)[number]

/** A person whom the host has signed in. */
export interface Person {
  /** The host's own id; the audit log keeps it. 1 to 200 characters. */
  readonly id: string
  /** The person's name, for the audit log and for other people. At most 200 characters. */
  readonly name: string
  /** A picture for visitors, an http or https address. @default none */
  readonly avatarUrl?: string
  /** The visitors whom the person takes at the console's desk. @default all of the account */
  readonly desk?: DeskService
  /** The person's roles. Without any, the person may do nothing. */
  readonly roles: readonly Role[]
  /** Ids of the accounts that the person may use. @default all */
  readonly accounts?: readonly AccountId[]
}

/** A person as a host hands it over; fields of the host's own are left out. */
export const personSchema = z.object({
  id: z.string().min(1).max(200),
  name: properLabelSchema(200),
  avatarUrl: pictureOrNoneSchema.exactOptional(),
  desk: deskServiceSchema.exactOptional(),
  roles: z.array(z.enum(ROLES)).readonly(),
  accounts: z.array(z.string()).readonly().exactOptional(),
})

/** The roles that each role holds, itself included. */
const HELD: Readonly<Record<Role, readonly Role[]>> = {
  reader: ['reader'],
  author: ['reader', 'author'],
  releaser: ['reader', 'author', 'releaser'],
  desk: ['desk'],
  operator: ROLES,
}

/** Returns all roles that come with these, each once, in the order of {@link ROLES}. */
export const heldRoles = (roles: readonly Role[]): readonly Role[] =>
  ROLES.filter(role => roles.some(given => HELD[given].includes(role)))

/** Reports whether the person is an operator of the whole platform, and not of some accounts alone. */
export const mayDecideForAll = ({ accounts, roles }: Person): boolean =>
  accounts === undefined && roles.includes('operator')

/** Reports whether the person may use the account. */
export const mayUseAccount = ({ accounts }: Person, id: AccountId): boolean =>
  accounts === undefined || accounts.includes(id)
