import type { AccountId } from '../ids.ts'

/** Filters of a list of conversations, which the people of an account share under a name (RC605). */
export interface SavedView {
  readonly accountId: AccountId
  readonly name: string
  /** The filters by their names, as in the address of the list. */
  readonly filters: Readonly<Record<string, string>>
  /** Counts its changes, from 1. */
  readonly version: number
}

/** Returns the form of a name by which two names are the same: whatever the case, and however it was typed. */
export const viewKey = (name: string): string => name.normalize('NFKC').toLowerCase().normalize('NFC')
