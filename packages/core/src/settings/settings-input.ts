import type { RateLimits, SettingGroup, Settings, TurnRecordingSettings } from './settings.ts'

/** Groups for which a host may also give something shorter. */
interface Shorter {
  readonly brand: string | Partial<Settings['brand']>
  readonly rateLimits: Partial<RateLimits> | null
  readonly turnRecording: TurnRecordingSettings['live'] | Partial<TurnRecordingSettings>
  readonly limits: Partial<Omit<Settings['limits'], 'bodyBytes'>> & {
    /** Body of a request, by the family of its path, or one number for all families. */
    readonly bodyBytes?: number | Partial<Settings['limits']['bodyBytes']>
  }
}

/** Groups of which a host gives only what differs from the default. */
type Groups<Given> = { readonly [Name in keyof Given]?: Partial<Given[Name]> }

/** The same fields with the types of the shorter forms; the comments stay. */
type Shortened<Given> = {
  readonly [Name in keyof Given]?: Name extends keyof Shorter ? Shorter[Name] : never
}

/** The settings that a host may give. Absent and undefined ones have their default. */
export type SettingsInput = Partial<Omit<Settings, SettingGroup>> &
  Groups<Pick<Settings, Exclude<SettingGroup, keyof Shorter>>> &
  Shortened<Pick<Settings, keyof Shorter>>
