import { computed, signal } from '@preact/signals'
import { accountId, askConsole, type Me } from './api.ts'
import { kept } from './kept.ts'

export type Role = 'reader' | 'author' | 'releaser' | 'desk' | 'operator'

/** Who is signed in; null until that is known. */
export const me = signal<Me | null>(null)

const chosen = kept('account', text => text ?? '')

/** The account that the person looks at; null where there is none. */
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

/** Whether the person has a role, by itself or with another one. */
export const may = (role: Role): boolean => me.value?.person.roles.includes(role) ?? false

export async function readMe(abort: AbortSignal): Promise<void> {
  me.value = (await askConsole('/console/v1/me', abort)) as Me
}

/** Reads it again, once what the person may use has changed. */
export const refreshMe = (): Promise<void> => readMe(new AbortController().signal)
