/** Ports and addresses for the audio of calls. */
export interface MediaOptions {
  /** UDP ports for calls, first and last. Each call has one. @default any free port */
  readonly ports?: readonly [first: number, last: number]
  /** The address of this machine at which calls come in. @default those of all its networks but loopback */
  readonly address?: string
  /** The address at which clients reach the server, where that is another one, as behind a cloud's NAT. */
  readonly announcedAddress?: string
}
