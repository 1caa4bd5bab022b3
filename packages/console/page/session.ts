import { computed, signal } from '@preact/signals'
import { accountId, askConsole, ME, type Me, signIn } from './api.ts'
import { kept } from './kept.ts'

export type Role = 'reader' | 'author' | 'releaser' | 'desk' | 'operator'

/** The signed-in person; null until known. */
export const me = signal<Me | null>(null)

const chosen = kept('account', text => text ?? '')

/** The account that the person looks at; null if there is none. */
export const account = computed(() => {
  const accounts = me.value?.accounts ?? []
  return accounts.find(({ id }) => id === chosen.value) ?? accounts[0] ?? null
})

account.subscribe(one => {
  accountId.value = one?.id ?? ''
})

export function chooseAccount(id: string): void {
  chosen.value = id
}

/** Reports whether the person has a role, alone or with others. */
export const may = (role: Role): boolean => me.value?.person.roles.includes(role) ?? false

/** Roles from the one that may do most. */
const BY_RANK = ['operator', 'releaser', 'author', 'reader', 'desk'] as const satisfies readonly Role[]

/** Returns the role that tells most about the person; undefined without any. */
export const highestRole = (): Role | undefined => BY_RANK.find(may)

export async function readMe(abort?: AbortSignal): Promise<void> {
  me.value = (await askConsole(ME, abort)) as Me
}

/** Continues after somebody has signed in again. For another person the page is reloaded. */
export async function comeBack(): Promise<void> {
  const now = (await askConsole(ME)) as Me
  if (now.person.id !== me.value?.person.id) return location.reload()
  me.value = now
  signIn.value = { needed: false, url: null }
  // Failed requests are retried, as after a time without a network.
  dispatchEvent(new Event('online'))
}

/** Reads it again, once what the person may use has changed. */
export const refreshMe = (): Promise<void> => readMe()
